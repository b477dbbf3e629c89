/** A component whose code is fetched when it is first drawn, and which the page works without when that fails. */
import { lazy, type ComponentType } from 'react';

const Nothing = (): null => null;

export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => Nothing) }));
}

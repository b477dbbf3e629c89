/** The bridge from models to React: a component renders again when the value it reads has changed. */
import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import type { Readable, Signal } from './cell.ts';

export function useReadable<Value>(readable: Readable<Value>): Value {
  return useSyncExternalStore(readable.subscribe, readable.get);
}

/** For events while the component is on the page, from the commit that draws it: an event before the paint counts. */
export function useEvents<Event>(
  { subscribe }: Pick<Signal<Event>, 'subscribe'>,
  onEvent: (event: Event) => void,
): void {
  const receive = useEffectEvent(onEvent);
  useLayoutEffect(() => subscribe((event) => receive(event)), [subscribe]);
}

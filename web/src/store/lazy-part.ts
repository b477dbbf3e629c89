/** A component whose code is fetched when it is first rendered; the page works without it when that fails. */
import { createElement, lazy, startTransition, useCallback, useEffect, useState, type ComponentType } from 'react';
import { afterFirstSound } from './first-sound.ts';
import { fetchPart, whenPartsReturn } from './lost-parts.ts';

interface OfMissing {
  /** Called when the code can't be fetched; `onClose`, if there is one, when this is left out. */
  onMissing?: (() => void) | undefined;
}

export interface Instead {
  /** Fetches the code again. */
  onRetry: () => void;
}

function Missing({ onMissing, onClose }: OfMissing & { onClose?: unknown }): null {
  useEffect(() => {
    if (onMissing) onMissing();
    else if (typeof onClose === 'function') onClose();
  }, [onMissing, onClose]);
  return null;
}

export type LazyPart<Props> = ComponentType<Props & OfMissing> & {
  /** Fetches the code ahead of need; a failure is ignored. */
  readonly prefetch: () => Promise<unknown>;
};

/** Renders `instead` while the code can't be fetched; the next mount fetches it again, and so does the code's return. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props & Instead> = Missing as ComponentType<Props & Instead>,
): LazyPart<Props> {
  let hasFailed = false;
  /** React delays a lazy component by 300 ms even when its code is there, so loaded code is drawn without `lazy`. */
  let loaded: ComponentType<Props & Instead> | null = null;
  const loadOnce = async (): Promise<ComponentType<Props & Instead>> => {
    loaded ??= (await load()) as ComponentType<Props & Instead>;
    return loaded;
  };
  function Waiting(props: Props & Instead) {
    const { onRetry } = props;
    // What is shown stays until the code is there.
    useEffect(() => whenPartsReturn(() => startTransition(onRetry)), [onRetry]);
    return createElement(instead, props);
  }
  const attempt = (): ComponentType<Props & Instead> =>
    lazy(async () => {
      try {
        return { default: await fetchPart(loadOnce) };
      } catch {
        hasFailed = true;
        return { default: Waiting };
      }
    });
  let part = attempt();
  function Part(props: Props & OfMissing) {
    const [Now, setNow] = useState(() => loaded ?? part);
    // On unmount only: React renders a suspended component again once its fetch has failed.
    useEffect(
      () => () => {
        if (hasFailed) part = attempt();
        hasFailed = false;
      },
      [],
    );
    const onRetry = useCallback(() => {
      // Another place may have tried already, with the same code.
      if (hasFailed) part = attempt();
      hasFailed = false;
      setNow(() => part);
    }, []);
    return createElement(Now, { ...props, onRetry });
  }
  return Object.assign(Part, { prefetch: () => loadOnce().catch(() => undefined) });
}

/** As `lazyPart`, of what a room can be without until its track is heard. */
export const laterPart: typeof lazyPart = (load, instead) => lazyPart(() => afterFirstSound().then(load), instead);

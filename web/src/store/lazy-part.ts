/** A component whose code is fetched when it is first rendered; the page works without it when that fails. */
import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  startTransition,
  Suspense,
  useCallback,
  useEffect,
  useState,
} from 'react';
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

export type LazyScreen<Props> = ComponentType<Props & OfMissing> & {
  /** Fetches the code ahead of need; a failure is ignored. */
  readonly prefetch: () => Promise<unknown>;
};

interface OfPlace {
  /** Keeps the place until the code is there. */
  fallback?: ReactNode;
}

/**
 * The Suspense around it waits for the code. Renders `instead` while that can't be fetched; the next mount fetches it
 * again, and so does the code's return.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props & Instead> = Missing as ComponentType<Props & Instead>,
): LazyScreen<Props> {
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
  function Code(props: Props & OfMissing) {
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
  return Object.assign(Code, { prefetch: () => loadOnce().catch(() => undefined) });
}

/** As `lazyScreen`, of a part that the rest of the screen does not wait for. */
export function lazyPart<Props extends object>(
  ...code: Parameters<typeof lazyScreen<Props>>
): LazyScreen<Props & OfPlace> {
  const Code = lazyScreen(...code);
  const Part = ({ fallback, ...props }: Props & OfMissing & OfPlace) =>
    createElement(Suspense, { fallback }, createElement(Code, props as unknown as Props & OfMissing));
  return Object.assign(Part, { prefetch: Code.prefetch });
}

/** As `lazyPart`, of what a room can be without until its track is heard. */
export const laterPart: typeof lazyPart = (load, instead) => lazyPart(() => afterFirstSound().then(load), instead);

/** A component whose code is fetched when it is first drawn, and which the page works without when that fails. */
import { createElement, lazy, useCallback, useEffect, useState, type ComponentType } from 'react';

interface OfMissing {
  /** The code could not be fetched, as on a lost connection. Else `onClose` is called, where there is one. */
  onMissing?: (() => void) | undefined;
}

/** For what is drawn instead: asks for the code anew. */
export interface Instead {
  onRetry: () => void;
}

/** What is drawn in place of code that could not be fetched: nothing. Whoever opened it may do so again. */
function Missing({ onMissing, onClose }: OfMissing & { onClose?: unknown }): null {
  useEffect(() => {
    if (onMissing) onMissing();
    else if (typeof onClose === 'function') onClose();
  }, [onMissing, onClose]);
  return null;
}

/** Draws `instead` while the code can't be had; the next time that it is to be drawn it is asked for anew. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props & Instead> = Missing as ComponentType<Props & Instead>,
): ComponentType<Props & OfMissing> {
  let hasFailed = false;
  const attempt = (): ComponentType<Props & Instead> =>
    lazy(async () => {
      try {
        return { default: (await load()) as ComponentType<Props & Instead> };
      } catch {
        hasFailed = true;
        return { default: instead };
      }
    });
  let part = attempt();
  return function LazyPart(props) {
    const [Part, setPart] = useState(() => part);
    // Not while it is drawn: what waits for its code is drawn anew once that has failed.
    useEffect(
      () => () => {
        if (hasFailed) part = attempt();
        hasFailed = false;
      },
      [],
    );
    const onRetry = useCallback(() => {
      hasFailed = false;
      part = attempt();
      setPart(() => part);
    }, []);
    return createElement(Part, { ...props, onRetry });
  };
}

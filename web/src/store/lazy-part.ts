/** A component whose code is fetched when it is first rendered; the page works without it when that fails. */
import { createElement, lazy, useCallback, useEffect, useState, type ComponentType } from 'react';
import { fetchPart } from './lost-parts.ts';

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

/** Renders `instead` when the code can't be fetched; the next mount fetches it again. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props & Instead> = Missing as ComponentType<Props & Instead>,
): ComponentType<Props & OfMissing> {
  let hasFailed = false;
  const attempt = (): ComponentType<Props & Instead> =>
    lazy(async () => {
      try {
        return { default: (await fetchPart(load)) as ComponentType<Props & Instead> };
      } catch {
        hasFailed = true;
        return { default: instead };
      }
    });
  let part = attempt();
  return function LazyPart(props) {
    const [Part, setPart] = useState(() => part);
    // On unmount only: React renders a suspended component again once its fetch has failed.
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

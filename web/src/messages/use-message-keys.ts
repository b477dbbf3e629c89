/** Arrow keys go from message to message of a log, once one of them has the focus. */
import { useEffect, type RefObject } from 'react';

export function useMessageKeys(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const log = box.current;
    if (log === null) return undefined;
    const onKeyDown = (event: KeyboardEvent) => goOn(event, log);
    log.addEventListener('keydown', onKeyDown);
    return () => log.removeEventListener('keydown', onKeyDown);
  }, [box]);
}

function goOn(event: KeyboardEvent, log: HTMLElement): void {
  const { key, target } = event;
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !(target instanceof Element)) return;
  if (target.getAttribute('role') !== 'article') return;
  const entries = [...log.querySelectorAll<HTMLElement>('[role=article]')];
  const next = entries[entries.findIndex((entry) => entry === target) + (key === 'ArrowUp' ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/**
 * Moves the focus when the element that had it is removed (a pressed button goes with its row), disabled or hidden:
 * screen readers would begin at the top of the page again.
 */

let last: EventTarget | null = null;
/** The parts of the page that it stood in, the nearest first. */
let around: readonly Element[] = [];
/** The main part of a screen whose heading is not there yet, while it has the focus in its place. */
let standIn: Element | null = null;

/** Notes from now on which element has the focus. */
export function watchFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    last = target;
    standIn = null;
    around = partsAround(target as Element);
  });
  // A press beside everything takes the focus away on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (!document.activeElement?.contains(target as Node)) last = null;
  });
}

function partsAround(element: Element): Element[] {
  const part = element.parentElement?.closest('section, dialog');
  return part ? [part, ...partsAround(part)] : [];
}

/** Focuses the heading of the screen, else its main part, so that screen readers announce it. */
export function focusHeading(): void {
  // What lies behind an open dialog can't have the focus.
  for (const place of ['dialog[open]', 'h1:not([data-away] *)', 'main']) {
    const target = document.querySelector<HTMLElement>(place);
    if (target === null || !focusOn(target)) continue;
    if (place === 'main') standIn = target;
    return;
  }
}

function focusOn(target: HTMLElement): boolean {
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  return document.activeElement === target;
}

/** A browser takes the focus from a disabled element only with its next paint. */
const hasFocus = (): boolean =>
  document.activeElement !== document.body && !document.activeElement?.matches(':disabled');

/**
 * Changes nothing while an element has the focus: the user may be typing. `place` comes first, then the heading of the
 * part that the element stood in, then that of the screen.
 */
export function regainFocus(place: HTMLElement | null | undefined = null): void {
  if (standIn && document.activeElement === standIn) return focusHeading();
  if (hasFocus() || !(last instanceof Element)) return;
  if (last.checkVisibility() && !last.matches(':disabled')) return;
  // Does nothing while `place` is hidden.
  place?.focus({ preventScroll: true });
  const heading = around.find((part) => part.isConnected)?.querySelector<HTMLElement>('h2, h3');
  if (!hasFocus() && !(heading && focusOn(heading))) focusHeading();
}

/**
 * Moves the focus when the element that had it is removed (a pressed button goes with its row), disabled or hidden:
 * screen readers would begin at the top of the page again.
 */

let last: EventTarget | null = null;

/** Notes from now on which element has the focus. */
export function watchFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    last = target;
  });
  // A press beside everything takes the focus away on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (!document.activeElement?.contains(target as Node)) last = null;
  });
}

/** Focuses the heading of the screen, else its main part, so that screen readers announce it. */
export function focusHeading(): void {
  // What lies behind an open dialog can't have the focus.
  for (const place of ['dialog[open]', 'h1:not([data-away] *)', 'main']) {
    const target = document.querySelector<HTMLElement>(place);
    if (target === null) continue;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    if (document.activeElement === target) return;
  }
}

/** A browser takes the focus from a disabled element only with its next paint. */
const hasFocus = (): boolean =>
  document.activeElement !== document.body && !document.activeElement?.matches(':disabled');

/** Changes nothing while an element has the focus: the user may be typing. `place` comes before the heading. */
export function regainFocus(place: HTMLElement | null | undefined = null): void {
  if (hasFocus() || !(last instanceof Element)) return;
  if (last.checkVisibility() && !last.matches(':disabled')) return;
  // Does nothing while `place` is hidden.
  place?.focus({ preventScroll: true });
  if (!hasFocus()) focusHeading();
}

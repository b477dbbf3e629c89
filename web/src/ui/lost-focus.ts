/** Moves the focus when the element that had it is removed (a pressed button goes with its row) or disabled: screen
   readers would begin at the top of the page again. */

let last: EventTarget | null = null;
document.addEventListener('focusin', ({ target }) => {
  last = target;
});

/** Focuses the heading of the screen, else its main part, so that screen readers announce it. */
export function focusHeading(): void {
  const target = document.querySelector<HTMLElement>('h1:not([data-away] *)') ?? document.querySelector('main');
  if (target === null) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Changes nothing while an element has the focus: the user may be typing. `place` comes before the heading. */
export function regainFocus(place: HTMLElement | null | undefined = null): void {
  const canHaveIt = !(last instanceof Element) || (last.isConnected && !last.matches(':disabled'));
  if (canHaveIt || document.activeElement !== document.body) return;
  // Does nothing while `place` is hidden.
  place?.focus({ preventScroll: true });
  if (document.activeElement === document.body) focusHeading();
}

/** Gives the focus a new place when what had it is gone, as a pressed button goes with its row, or can't be pressed any
   more: screen readers would begin at the top of the page again. */

/** What had the focus last. */
let last: EventTarget | null = null;
document.addEventListener('focusin', ({ target }) => {
  last = target;
});

/** The heading of what is shown, else its main part, gets the focus, so that screen readers announce it. */
export function focusHeading(): void {
  const target = document.querySelector<HTMLElement>('h1:not([data-away] *)') ?? document.querySelector('main');
  if (target === null) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Takes nothing from a focus that stands somewhere: somebody may be typing there. `place` comes before the heading. */
export function regainFocus(place: HTMLElement | null | undefined = null): void {
  const canHaveIt = !(last instanceof Element) || (last.isConnected && !last.matches(':disabled'));
  if (canHaveIt || document.activeElement !== document.body) return;
  // Does nothing where it can't be seen.
  place?.focus({ preventScroll: true });
  if (document.activeElement === document.body) focusHeading();
}

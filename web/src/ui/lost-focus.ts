/** Gives the focus a new place when what had it is gone, as a pressed key goes with its row: screen readers would begin
   at the top of the page again. */

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
export function regainFocus(place: HTMLElement | null = null): void {
  const isLost = document.activeElement === document.body && last instanceof Node && !last.isConnected;
  if (!isLost) return;
  // Does nothing where it can't be seen.
  place?.focus({ preventScroll: true });
  if (document.activeElement === document.body) focusHeading();
}

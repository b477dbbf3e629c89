/** Opens a native <dialog> as a modal and keeps React and the browser agreed on whether it is open.
   The browser does the rest (inert page behind, Escape, top layer, focus given back on close), except that
   Tab would step out into its own bars; here it goes round. */
import { createContext, use, useEffectEvent, useLayoutEffect, type RefObject } from 'react';

const tabStops = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/** False inside a screen that stays mounted behind another one: its dialogs would cover that one and make it inert. */
export const ScreenShownContext = createContext(true);

/** Shows the dialog while mounted. `onCancel` runs on Escape (and Android's back) and when its screen is shown no
 *  longer, never on unmount; with `scrimCloses` also on a press beside the dialog, whose content must then fill its box. */
export function useModalElement(
  dialog: RefObject<HTMLDialogElement | null>,
  onCancel: () => void,
  { scrimCloses = false }: { scrimCloses?: boolean } = {},
): void {
  const cancel = useEffectEvent(onCancel);
  const isScreenShown = use(ScreenShownContext);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    if (!isScreenShown) {
      cancel();
      return undefined;
    }
    const onCancelEvent = (event: Event) => {
      // React decides when it goes; the browser closing it alone would leave the state behind.
      event.preventDefault();
      cancel();
    };
    // A browser may close without a cancelable event when Escape is pressed twice in a row.
    const onCloseEvent = () => {
      if (!element.open) cancel();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return;
      // Arrow keys go to the others.
      const stops = [...element.querySelectorAll<HTMLElement>(tabStops)].filter(({ tabIndex }) => tabIndex >= 0);
      const [edge, opposite] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
      if (edge !== undefined && document.activeElement !== edge) return;
      event.preventDefault();
      opposite?.focus();
    };
    const onPress = (event: Event) => {
      if (scrimCloses && event.target === element) cancel();
    };
    const closing = new AbortController();
    element.addEventListener('keydown', onKeyDown, closing);
    element.addEventListener('click', onPress, closing);
    element.addEventListener('cancel', onCancelEvent, closing);
    element.addEventListener('close', onCloseEvent, closing);
    element.showModal();
    element.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    return () => {
      closing.abort();
      // Closing before React removes the element is what makes the browser return focus.
      element.close();
    };
  }, [dialog, scrimCloses, isScreenShown]);
}

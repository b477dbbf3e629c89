/** The chatbot popup of the home screen: opens by itself once per sign-in, and by its button. */
import { cell, type Readable } from '../store/cell.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/chatbot-popup-shown';

export interface ChatbotPopupModel {
  readonly isShown: Readable<boolean>;
  /** Shows the popup unless it was shown since the last sign-in, or to this visitor. */
  arrive(): void;
  open(): void;
  dismiss(): void;
  /** Lets the popup open by itself once more. */
  renew(): void;
}

/** `storage` must survive a reload. */
export function createChatbotPopupModel(storage: LenientStorage): ChatbotPopupModel {
  const isShown = cell(false);
  let isDue = storage.getItem(key) === null;

  return {
    isShown,
    arrive() {
      if (!isDue) return;
      isDue = false;
      storage.setItem(key, '1');
      isShown.set(true);
    },
    open: () => isShown.set(true),
    dismiss: () => isShown.set(false),
    renew() {
      isDue = true;
      storage.removeItem(key);
    },
  };
}

/**
 * The little popup of the home screen: by itself once per sign-in, and whenever its button asks (HOME-8).
 */
import { cell, type Readable } from '../../store/cell.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';

const key = 'tunemate/chatbot-popup-shown';

export interface ChatbotPopupModel {
  readonly isShown: Readable<boolean>;
  /** Home came up; shows the popup unless this sign-in, or this visitor, has seen it. */
  arrive(): void;
  open(): void;
  dismiss(): void;
  /** Somebody signed in: the popup is due again. */
  renew(): void;
}

/** `storage` outlives the page. */
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

/**
 * The little popup of the home screen: by itself once per sign-in, and whenever its button asks (D16).
 */
import { cell, type Readable } from '../store/cell.ts';

const key = 'tunemate/chatbot-popup-shown';

export interface ChatbotPopupModel {
  readonly isShown: Readable<boolean>;
  /** Home came up; shows the popup unless this sign-in has seen it. Signed-out visitors count as one sign-in per tab. */
  arrive(): void;
  open(): void;
  dismiss(): void;
  /** Somebody signed in: the popup is due again. */
  renew(): void;
}

/** `storage` outlives the page; when it is forbidden the popup is due once per page. */
export function createChatbotPopupModel(storage: () => Storage): ChatbotPopupModel {
  const isShown = cell(false);
  let isDue = readStorage(storage, (kept) => kept.getItem(key)) === null;

  return {
    isShown,
    arrive() {
      if (!isDue) return;
      isDue = false;
      readStorage(storage, (kept) => kept.setItem(key, '1'));
      isShown.set(true);
    },
    open: () => isShown.set(true),
    dismiss: () => isShown.set(false),
    renew() {
      isDue = true;
      readStorage(storage, (kept) => kept.removeItem(key));
    },
  };
}

function readStorage<Value>(storage: () => Storage, use: (storage: Storage) => Value): Value | null {
  try {
    return use(storage());
  } catch {
    // Storage is full or forbidden.
    return null;
  }
}

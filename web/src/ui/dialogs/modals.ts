/** Screens ask for modals here; `ModalHost` shows one at a time and resolves each promise with the answer. */
import { createContext, use, type ReactNode } from 'react';
import type { BandInk } from '../inks.ts';

export interface OkOptions {
  text?: string | undefined;
  art?: ReactNode;
  band?: BandInk | undefined;
}

export interface ConfirmRequest {
  question: string;
  /** The consequence for people, in one sentence. */
  consequence?: string | undefined;
  /** The label of the button. */
  action: string;
  /** Fills the button in red. */
  danger?: boolean | undefined;
  band?: BandInk | undefined;
}

/** Both settle only when the user answers; modals requested meanwhile are queued. */
export interface Modals {
  /** Resolves after OK or Escape. */
  ok: (message: string, options?: OkOptions) => Promise<void>;
  /** True after the action, false after Cancel or Escape. */
  confirm: (request: ConfirmRequest) => Promise<boolean>;
}

export const ModalsContext = createContext<Modals | null>(null);

/** The modals of the surrounding `ModalHost`; the object never changes. */
export function useModals(): Modals {
  const modals = use(ModalsContext);
  if (modals === null) throw new Error('useModals needs a ModalHost above it');
  return modals;
}

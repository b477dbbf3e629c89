/** The promise side of modals: screens ask, the host shows one question at a time and settles the answer. */
import { createContext, use, type ReactNode } from 'react';
import type { BandInk } from '../inks.ts';

/** Options of a message. */
export interface OkOptions {
  text?: string | undefined;
  art?: ReactNode;
  band?: BandInk | undefined;
}

/** A question, answered true or false. */
export interface ConfirmRequest {
  question: string;
  consequence?: string | undefined;
  action: string;
  danger?: boolean | undefined;
  band?: BandInk | undefined;
}

/** Both settle only when the person answers; requests made meanwhile wait their turn. */
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

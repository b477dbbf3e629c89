/** Short success messages of screens. Never for anything that needs a decision. */
import { createContext, use } from 'react';

/** Shows one sentence for four seconds. */
export type ShowToast = (message: string) => void;

export const ToastsContext = createContext<ShowToast | null>(null);

/** The toast function of the surrounding `Root`; it never changes. */
export function useToast(): ShowToast {
  const show = use(ToastsContext);
  if (show === null) throw new Error('useToast needs a ToastHost above it');
  return show;
}

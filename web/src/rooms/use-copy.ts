/** Copies a text and says whether that worked. */
import { copyText } from '../ui/copy-text.ts';
import { useToast } from '../ui/feedback/toasts.ts';

export function useCopy(): (text: string, said: { copied: string; failed: string }) => void {
  const toast = useToast();
  return (text, { copied, failed }) => void copyText(text).then((isCopied) => toast(isCopied ? copied : failed));
}

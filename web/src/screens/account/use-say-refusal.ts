/** Tells why something on the account screen did not work. */
import type { Refusal } from '@tunemate/protocol';
import { careInstead, careWords } from '../../copy/account-care.ts';
import { sentenceOf } from '../../copy/sentences.ts';
import { useModals } from '../../ui/dialogs/modals.ts';

export function useSayRefusal(): (refusal: Refusal) => Promise<void> {
  const modals = useModals();
  return (refusal) => modals.ok(careWords.failed, { text: sentenceOf(refusal, careInstead) });
}

/** Tells why something on the account screen did not work. */
import type { Refusal } from '@tunemate/protocol';
import { careInstead, careWords } from './care-words.ts';
import { type Instead, sentenceOf } from '../copy/sentences.ts';
import { useModals } from '../ui/dialogs/modals.ts';

/** What one place says instead is given along. */
export function useSayRefusal(): (refusal: Refusal, instead?: Instead) => Promise<void> {
  const modals = useModals();
  return (refusal, instead) =>
    modals.ok(careWords.failed, { text: sentenceOf(refusal, { ...careInstead, ...instead }) });
}

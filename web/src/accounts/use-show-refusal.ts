/** Tells why something on the account screen did not work. */
import type { Refusal } from '@tunemate/protocol';
import { careInstead, accountSettingsCopy } from './care-words.ts';
import { type Instead, sentenceOf } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';

/** What one place says instead is given along. */
export function useShowRefusal(): (refusal: Refusal, instead?: Instead) => Promise<void> {
  const modals = useModals();
  return (refusal, instead) =>
    modals.ok(accountSettingsCopy.failed, { text: sentenceOf(refusal, { ...careInstead, ...instead }) });
}

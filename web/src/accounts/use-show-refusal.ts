/** Shows why an action on the account screen failed. */
import type { Refusal } from '@tunemate/protocol';
import { accountSettingsInstead, accountSettingsCopy } from './settings/account-settings-words.ts';
import { type Instead, sentenceOf } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';

/** `instead` replaces single sentences. */
export function useShowRefusal(): (refusal: Refusal, instead?: Instead) => Promise<void> {
  const modals = useModals();
  return (refusal, instead) =>
    modals.ok(accountSettingsCopy.failed, { text: sentenceOf(refusal, { ...accountSettingsInstead, ...instead }) });
}

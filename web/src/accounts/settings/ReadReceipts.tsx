/** The switch for read receipts. It works both ways: a user who hides theirs sees no one else's. */
import type { UserDocument } from '@tunemate/protocol';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { useApp } from '../../app-context.ts';
import { accountSettingsCopy } from './account-settings-words.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { useShowRefusal } from '../use-show-refusal.ts';

export function ReadReceipts({ accountSettings, user }: { accountSettings: AccountSettingsModel; user: UserDocument }) {
  const { session } = useApp();
  const { run } = useBusy();
  const showRefusal = useShowRefusal();

  async function turn(isOn: boolean): Promise<void> {
    const answer = await accountSettings.update({ readReceipts: isOn });
    if (answer.ok) session.takeUser(answer.value);
    else await showRefusal(answer.error);
  }

  return (
    <Section title={accountSettingsCopy.privacyTitle} flush>
      <p className={styles.hint}>{accountSettingsCopy.receiptsHint}</p>
      <div className={styles.outdent}>
        <Switch
          label={accountSettingsCopy.receipts}
          checked={user.readReceipts}
          onChange={(isOn) => run(() => turn(isOn))}
        />
      </div>
    </Section>
  );
}

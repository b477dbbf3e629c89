/** The setting who sees what the user hears in rooms. */
import type { HearingAudience, UserDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { t } from '../../language/t.ts';
import { AudienceRows } from './AudienceRows.tsx';
import { useBusy } from '../../store/use-busy.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './Account.module.css';
import { useShowRefusal } from './AccountLists.tsx';
import type { AccountSettingsModel } from './account-settings-model.ts';

export function HearingChoice({
  accountSettings,
  user,
}: {
  accountSettings: AccountSettingsModel;
  user: UserDocument;
}) {
  const { session } = useApp();
  const { run } = useBusy();
  const showRefusal = useShowRefusal();
  async function choose(hearingShownTo: HearingAudience): Promise<void> {
    const answer = await accountSettings.update({ hearingShownTo });
    if (answer.ok) session.takeUser(answer.value);
    else await showRefusal(answer.error);
  }
  return (
    <div>
      <AudienceRows
        title={t`Who sees what I hear`}
        nobodyMeans={t`As long as you choose nothing`}
        value={user.hearingShownTo ?? 'nobody'}
        onChange={(to) => run(() => choose(to))}
      />
      <p className={classNames(styles.hint, styles.after)}>
        {t`They read ‘Hears Walking Home, Lena Vogt’ and may ask to listen along. Never who else is in the room.`}
      </p>
    </div>
  );
}

/** The setting who sees what the user hears in rooms. */
import type { HearingAudience, UserDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { t } from '../../language/t.ts';
import { AudienceRows } from './AudienceRows.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useChoice } from '../../ui/fields/use-choice.ts';
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
  const showRefusal = useShowRefusal();
  const stored: HearingAudience = user.hearingShownTo ?? 'nobody';
  const [chosen, choose] = useChoice(stored, async (hearingShownTo) => {
    const answer = await accountSettings.update({ hearingShownTo });
    if (answer.ok) session.takeUser(answer.value);
    else void showRefusal(answer.error);
  });
  return (
    <div>
      <AudienceRows
        title={t`Who sees what I hear`}
        nobodyMeans={t`As long as you choose nothing`}
        value={chosen}
        onChange={choose}
      />
      <p className={classNames(styles.hint, styles.after)}>
        {t`They read ‘Hears Walking Home, Lena Vogt’ and may ask to listen along. Never who else is in the room.`}
      </p>
    </div>
  );
}

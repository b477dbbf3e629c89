/** To whom the user shows what they hear in rooms: as rows to choose from, in the settings and in the question on home. */
import type { HearingAudience, UserDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import styles from './Account.module.css';
import { useShowRefusal } from './AccountLists.tsx';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { hearingChoiceWords as words } from './hearing-choice-words.ts';

interface AudienceRowsProps {
  title: string;
  value: HearingAudience;
  onChange: (to: HearingAudience) => void;
}

/** Each row names the people whom it stands for. */
export function AudienceRows({ title, value, onChange }: AudienceRowsProps) {
  const app = useApp();
  const bond = useReadable(app.soulmate.soulmate);
  const mates = useReadable(app.tunemates.tunemates) ?? [];
  const soulmate = bond.status === 'bound' ? bond.soulmate : null;
  const others = mates.filter(({ uid }) => uid !== soulmate?.uid).length;
  const rows = [
    { value: 'nobody', label: words.nobody, detail: words.byDefault },
    { value: 'soulmate', label: words.soulmate, detail: soulmate?.name ?? words.noSoulmate },
    { value: 'tunemates', label: words.tunemates, detail: words.people(soulmate?.name ?? null, others) },
  ] as const;
  return <RadioRows title={title} rows={rows} value={value} onChange={onChange} />;
}

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
        title={words.title}
        value={user.hearingShownTo ?? 'nobody'}
        onChange={(to) => run(() => choose(to))}
      />
      <p className={styles.hint}>{words.means}</p>
    </div>
  );
}

/** Whether others see what one has read. Works both ways: who hides it sees nobody's. */
import type { UserDocument } from '@tunemate/protocol';
import type { CareModel } from './care-model.ts';
import { useApp } from '../app-context.ts';
import { careWords } from './care-words.ts';
import { useBusy } from '../store/use-busy.ts';
import { Switch } from '../ui/keys/Switch.tsx';
import { Section } from '../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { useSayRefusal } from './use-say-refusal.ts';

export function ReadReceipts({ care, user }: { care: CareModel; user: UserDocument }) {
  const { session } = useApp();
  const { run } = useBusy();
  const sayRefusal = useSayRefusal();

  async function turn(isOn: boolean): Promise<void> {
    const answer = await care.update({ readReceipts: isOn });
    if (answer.ok) session.takeUser(answer.value);
    else await sayRefusal(answer.error);
  }

  return (
    <Section title={careWords.privacyTitle} flush>
      <p className={styles.hint}>{careWords.receiptsHint}</p>
      <div className={styles.outdent}>
        <Switch label={careWords.receipts} checked={user.readReceipts} onChange={(isOn) => run(() => turn(isOn))} />
      </div>
    </Section>
  );
}

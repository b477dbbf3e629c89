/** Whether what the user's rooms play is kept for them. Off: nothing is kept, and what was kept is deleted. */
import { useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Section } from '../../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { useShowRefusal } from './AccountLists.tsx';
import { accountSettingsWords } from './account-settings-words.ts';

export function KeepHistory() {
  const { connection } = useApp();
  const modals = useModals();
  const { run } = useBusy();
  const showRefusal = useShowRefusal();
  const [isKept, setIsKept] = useState(true);
  useEffect(() => {
    let isGone = false;
    void connection.request('rooms/histories', {}).then((answer) => {
      if (!isGone && answer.ok) setIsKept(answer.value.isKept);
    });
    return () => {
      isGone = true;
    };
  }, [connection]);

  async function turn(isOn: boolean): Promise<void> {
    const isSure =
      isOn ||
      (await modals.confirm({
        question: accountSettingsWords.historyQuestion,
        consequence: accountSettingsWords.historyConsequence,
        action: accountSettingsWords.historyAction,
        danger: true,
      }));
    if (!isSure) return;
    const answer = await connection.request('rooms/keepHistory', { isKept: isOn });
    if (answer.ok) setIsKept(isOn);
    else await showRefusal(answer.error);
  }

  return (
    <Section title={accountSettingsWords.historyTitle} flush>
      <p className={styles.hint}>{accountSettingsWords.historyHint}</p>
      <div className={styles.outdent}>
        <Switch label={accountSettingsWords.history} checked={isKept} onChange={(isOn) => run(() => turn(isOn))} />
      </div>
    </Section>
  );
}

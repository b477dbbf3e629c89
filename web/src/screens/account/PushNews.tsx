/** Whether this device is told of news while the app is closed. Says nothing where the browser can't. */
import { useEffect, useMemo, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { careWords } from '../../accounts/care-words.ts';
import { createPush } from '../../notifications/push.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Switch } from '../../ui/keys/Switch.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import styles from '../../accounts/Account.module.css';
import { useSayRefusal } from '../../accounts/use-say-refusal.ts';

export function PushNews() {
  const { callRoute } = useApp();
  const push = useMemo(() => createPush(callRoute, window), [callRoute]);
  const [isOn, setIsOn] = useState(false);
  const { run } = useBusy();
  const modals = useModals();
  const sayRefusal = useSayRefusal();

  useEffect(() => {
    void push.isOn().then(setIsOn);
  }, [push]);

  async function turn(wanted: boolean): Promise<void> {
    if (!wanted) await push.unsubscribe();
    const answer = wanted ? await push.subscribe() : 'on';
    setIsOn(await push.isOn());
    if (answer === 'denied') await modals.ok(careWords.pushDenied, { text: careWords.pushDeniedHint });
    else if (answer !== 'on') await sayRefusal({ code: answer });
  }

  if (!push.isSupported()) return null;
  return (
    <Section title={careWords.pushTitle} flush>
      <p className={styles.hint}>{careWords.pushHint}</p>
      <div className={styles.outdent}>
        <Switch label={careWords.push} checked={isOn} onChange={(wanted) => run(() => turn(wanted))} />
      </div>
    </Section>
  );
}

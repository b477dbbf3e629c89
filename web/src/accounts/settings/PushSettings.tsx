/** The switch for push messages on this device. Hidden where the browser does not support them. */
import { useEffect, useMemo, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { accountSettingsCopy } from './account-settings-words.ts';
import { createPush } from '../../notifications/push.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { useShowRefusal } from '../use-show-refusal.ts';

export function PushNews() {
  const { callRoute } = useApp();
  const push = useMemo(() => createPush(callRoute, window), [callRoute]);
  const [isOn, setIsOn] = useState(false);
  const { run } = useBusy();
  const modals = useModals();
  const showRefusal = useShowRefusal();

  useEffect(() => {
    void push.isOn().then(setIsOn);
  }, [push]);

  async function turn(wanted: boolean): Promise<void> {
    if (!wanted) await push.unsubscribe();
    const answer = wanted ? await push.subscribe() : 'on';
    setIsOn(await push.isOn());
    if (answer === 'denied')
      await modals.ok(accountSettingsCopy.pushDenied, { text: accountSettingsCopy.pushDeniedHint });
    else if (answer !== 'on') await showRefusal({ code: answer });
  }

  if (!push.isSupported()) return null;
  return (
    <Section title={accountSettingsCopy.pushTitle} flush>
      <p className={styles.hint}>{accountSettingsCopy.pushHint}</p>
      <div className={styles.outdent}>
        <Switch label={accountSettingsCopy.push} checked={isOn} onChange={(wanted) => run(() => turn(wanted))} />
      </div>
    </Section>
  );
}

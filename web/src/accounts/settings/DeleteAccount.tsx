/** Deleting the account: asks for the password and a confirmation, then loads the home page signed out. */
import { useState } from 'react';
import { useApp } from '../../app-context.ts';
import { accountSettingsInstead, accountSettingsCopy } from './account-settings-words.ts';
import { accountCopy } from '../account-words.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import styles from './Account.module.css';

export function DeleteAccount() {
  const { callRoute, session } = useApp();
  const modals = useModals();
  const { isBusy, run } = useBusy();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  async function remove(): Promise<void> {
    if (password === '') return setProblem(accountCopy.passwordMissing);
    const isSure = await modals.confirm({
      question: accountSettingsCopy.deleteQuestion,
      consequence: accountSettingsCopy.deleteConsequence,
      action: accountSettingsCopy.deleteAction,
      danger: true,
    });
    if (!isSure) return;
    const answer = await session.signOut(() => callRoute('POST /api/accounts/delete', { password }));
    // A full page load, so that no data of this user stays in memory.
    if (answer.ok) window.location.assign('/');
    else setProblem(sentenceOf(answer.error, accountSettingsInstead));
  }

  return (
    <Section title={accountSettingsCopy.deleteTitle} flush>
      <Form onSubmit={() => run(remove)} label={accountSettingsCopy.deleteTitle}>
        <p className={styles.hint}>{accountSettingsCopy.deleteHint}</p>
        <PasswordField
          label={accountSettingsCopy.password}
          autoComplete="current-password"
          required
          value={password}
          error={problem ?? undefined}
          onChange={(event) => {
            setPassword(event.target.value);
            setProblem(null);
          }}
        />
        <ButtonGroup inline>
          <Button type="submit" variant="danger" busy={isBusy}>
            {accountSettingsCopy.delete}
          </Button>
        </ButtonGroup>
      </Form>
    </Section>
  );
}

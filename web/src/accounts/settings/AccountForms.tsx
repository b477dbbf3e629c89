/** The forms of the account screen: the name, the password, and deleting the account. */
import type { Refusal, UserDocument } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { accountWords } from '../account-words.ts';
import { nameProblem, newPasswordProblem } from '../form-rules.ts';
import styles from './Account.module.css';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { accountSettingsWords, accountSettingsInstead } from './account-settings-words.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

/** The name of the current user, as other people see it. */
export function NameForm({ accountSettings, user }: { accountSettings: AccountSettingsModel; user: UserDocument }) {
  const { session } = useApp();
  const { isBusy, run } = useBusy();
  const toast = useToast();
  const [name, setName] = useState(user.name);
  const [problem, setProblem] = useState<string | null>(null);

  function submit(): void {
    const found = nameProblem(name);
    setProblem(found === null ? null : accountWords[found]);
    if (found !== null) return;
    run(async () => {
      const answer = await accountSettings.update({ name: name.trim() });
      if (!answer.ok) return setProblem(sentenceOf(answer.error, { 'input/invalid': accountWords.nameUnfit }));
      session.takeUser(answer.value);
      setName(answer.value.name);
      toast(t`Saved`);
    });
  }

  return (
    <SectionForm title={t`Your name`} action={t`Save Name`} isBusy={isBusy} onSubmit={submit} variant="primary">
      <TextField
        label={t`Name`}
        name="name"
        autoComplete="name"
        required
        value={name}
        error={problem ?? undefined}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(null);
        }}
      />
    </SectionForm>
  );
}

const empty = { current: '', next: '' };
interface Problems {
  readonly current?: string;
  readonly next?: string;
}

/** Asks for the current password. */
export function PasswordForm({ accountSettings, user }: { accountSettings: AccountSettingsModel; user: UserDocument }) {
  const { isBusy, run } = useBusy();
  const toast = useToast();
  const [typed, setTyped] = useState(empty);
  const [problems, setProblems] = useState<Problems>({});

  function submit(): void {
    const found = newPasswordProblem(typed.next);
    const unfit: Problems = {
      ...(typed.current === '' && { current: accountWords.passwordMissing }),
      ...(found !== null && { next: accountWords[found] }),
    };
    setProblems(unfit);
    if (Object.keys(unfit).length > 0) return;
    run(async () => {
      const answer = await accountSettings.changePassword(typed.current, typed.next);
      if (!answer.ok) return setProblems(problemOf(answer.error));
      setTyped(empty);
      toast(t`Password changed. Your other devices are signed out.`);
    });
  }

  const wiring = (field: keyof typeof typed) => ({
    required: true,
    value: typed[field],
    error: problems[field],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [field]: event.target.value });
      setProblems({});
    },
  });
  return (
    <SectionForm title={t`Password`} action={t`Change Password`} isBusy={isBusy} onSubmit={submit}>
      {/* For password managers: the user this password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField label={t`Current password`} autoComplete="current-password" {...wiring('current')} />
      <PasswordField
        label={t`New password`}
        autoComplete="new-password"
        hint={accountWords.passwordHint}
        {...wiring('next')}
      />
    </SectionForm>
  );
}

function problemOf(refusal: Refusal): Problems {
  const sentence = sentenceOf(refusal, accountSettingsInstead);
  return refusal.code === 'auth/invalid-credentials' ? { current: sentence } : { next: sentence };
}

/** Asks for the password and a confirmation, then loads the home page signed out. */
export function DeleteAccount() {
  const { callRoute, session } = useApp();
  const modals = useModals();
  const { isBusy, run } = useBusy();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  async function remove(): Promise<void> {
    if (password === '') return setProblem(accountWords.passwordMissing);
    const isSure = await modals.confirm({
      question: t`Delete your account?`,
      consequence: t`This cannot be undone.`,
      action: t`Delete`,
      danger: true,
    });
    if (!isSure) return;
    const answer = await session.signOut(() => callRoute('POST /api/accounts/delete', { password }));
    // A full page load, so that no data of this user stays in memory.
    if (answer.ok) window.location.assign('/');
    else setProblem(sentenceOf(answer.error, accountSettingsInstead));
  }

  return (
    <SectionForm
      title={t`Delete account`}
      action={t`Delete Account`}
      isBusy={isBusy}
      onSubmit={() => run(remove)}
      variant="danger"
    >
      <p className={styles.hint}>{accountSettingsWords.deleteHint}</p>
      <PasswordField
        label={accountSettingsWords.password}
        autoComplete="current-password"
        required
        value={password}
        error={problem ?? undefined}
        onChange={(event) => {
          setPassword(event.target.value);
          setProblem(null);
        }}
      />
    </SectionForm>
  );
}

interface SectionFormProps {
  title: string;
  action: string;
  isBusy: boolean;
  variant?: 'primary' | 'danger';
  onSubmit: () => void;
  children: Elements;
}

function SectionForm({ title, action, isBusy, variant, onSubmit, children }: SectionFormProps) {
  return (
    <Section title={title} flush>
      <Form onSubmit={onSubmit} label={title}>
        {children}
        <ButtonGroup inline>
          <Button type="submit" variant={variant} busy={isBusy}>
            {action}
          </Button>
        </ButtonGroup>
      </Form>
    </Section>
  );
}

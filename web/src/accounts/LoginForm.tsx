/** Email and password. Any failure is 'Invalid credentials'; a reason other than the credentials is shown below it. */
import { useState } from 'react';
import { Link } from 'wouter';
import { useApp } from '../app-context.ts';
import { accountCopy } from './account-words.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useBusy } from '../store/use-busy.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { EmailField } from '../ui/fields/EmailField.tsx';
import { Form } from '../ui/fields/Form.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { ButtonGroup } from '../ui/buttons/ButtonGroup.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { useToast } from '../ui/feedback/toasts.ts';
import { signUpPath } from './safe-next.ts';
import styles from './LoginForm.module.css';

export interface LoginFormProps {
  email: string;
  onEmail: (email: string) => void;
  /** The path to open after signing in; the links of this form keep it in their addresses. */
  next: string | null;
}

export function LoginForm({ email, onEmail, next }: LoginFormProps) {
  const { session } = useApp();
  const modals = useModals();
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const [password, setPassword] = useState('');
  const [wasSent, setWasSent] = useState(false);
  const reset = new URLSearchParams({ reset: '', ...(next !== null && { next }) });

  function submit(): void {
    setWasSent(true);
    if (email.trim() === '' || password === '') return;
    run(async () => {
      const answer = await session.signIn(email, password);
      if (answer.ok) {
        if (answer.value.status === 'signed-in') toast(accountCopy.loginSuccessful);
        return;
      }
      if (answer.error.code === 'auth/disabled') {
        await modals.ok(sentenceOf(answer.error));
        return;
      }
      const isTheirs = answer.error.code === 'auth/invalid-credentials' || answer.error.code === 'input/invalid';
      await modals.ok(accountCopy.loginFailed, isTheirs ? {} : { text: sentenceOf(answer.error) });
    });
  }

  return (
    <>
      <h1>{accountCopy.welcomeBack}</h1>
      <Form onSubmit={submit} label={accountCopy.signIn}>
        <EmailField
          label={accountCopy.email}
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => onEmail(event.target.value)}
          error={wasSent && email.trim() === '' ? accountCopy.emailMissing : undefined}
        />
        <PasswordField
          label={accountCopy.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={wasSent && password === '' ? accountCopy.passwordMissing : undefined}
        />
        <ButtonGroup>
          <Button type="submit" variant="primary" block busy={isBusy}>
            {accountCopy.signIn}
          </Button>
          <ButtonLink href={signUpPath(next ?? '/')} block>
            {accountCopy.createAccount}
          </ButtonLink>
        </ButtonGroup>
      </Form>
      <p className={styles.forgot}>
        <Link href={`/login?${reset.toString()}`} className="link">
          {accountCopy.forgotPassword}
        </Link>
      </p>
    </>
  );
}

/** Signing in: the form, the request for a link to a new password, and the screen for an unverified address. */
import { addressIn } from '@tunemate/protocol';
import { useState } from 'react';
import { Link, Redirect, useSearch } from 'wouter';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { EmailField } from '../../ui/fields/EmailField.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { Poster } from '../../ui/layout/Poster.tsx';
import { MailSent } from '../MailSent.tsx';
import { accountWords, resendFailed, resetWords, verificationLead } from '../account-words.ts';
import styles from './LoginScreen.module.css';
import { keptNext, loginPath, roomOf, safeNext, signUpPath } from './next-path.ts';
import { sharedRoom } from './next-room.ts';

const WayIn = lazyPart(async () => (await import('../way-in/WayIn.tsx')).WayIn);

export function LoginScreen() {
  const { session } = useApp();
  const now = useReadable(session.session);
  const query = new URLSearchParams(useSearch());
  const next = safeNext(query.get('next'));
  const [email, setEmail] = useState('');
  // Who signed up here for this room has an account.
  const [hasAccount, setHasAccount] = useState(() => keptNext() === next);
  const room = sharedRoom(next);

  if (now.status === 'signed-in') return <Redirect to={next} replace />;
  if (room && !hasAccount && now.status !== 'unverified' && !query.has('reset')) {
    return <WayIn room={room} next={next} onSignIn={() => setHasAccount(true)} />;
  }
  return (
    <Poster line={accountWords.tagLine}>
      {now.status === 'unverified' ? (
        <VerificationRequired email={now.email} next={next} />
      ) : query.has('reset') ? (
        <ResetRequest email={email} onEmail={setEmail} next={next} />
      ) : (
        <LoginForm email={email} onEmail={setEmail} next={query.get('next')} />
      )}
    </Poster>
  );
}

interface EmailProps {
  email: string;
  onEmail: (email: string) => void;
}

function UsernameField({ email, onEmail, error }: EmailProps & { error: string | undefined }) {
  return (
    <EmailField
      label={accountWords.email}
      name="email"
      autoComplete="username"
      required
      value={email}
      onChange={(event) => onEmail(event.target.value)}
      error={error}
    />
  );
}

interface LoginFormProps extends EmailProps {
  /** The path to open after signing in; the links of this form keep it in their addresses. */
  next: string | null;
}

/** Shows any failure as 'Invalid credentials'; a reason other than the credentials is shown below it. */
function LoginForm({ email, onEmail, next }: LoginFormProps) {
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
        if (answer.value.status === 'signed-in') toast(accountWords.loginSuccessful);
        return;
      }
      if (answer.error.code === 'auth/disabled') {
        await modals.ok(sentenceOf(answer.error));
        return;
      }
      const isTheirs = answer.error.code === 'auth/invalid-credentials' || answer.error.code === 'input/invalid';
      await modals.ok(accountWords.loginFailed, isTheirs ? {} : { text: sentenceOf(answer.error) });
    });
  }

  return (
    <>
      <h1>{accountWords.welcomeBack}</h1>
      <Form onSubmit={submit} label={accountWords.signIn}>
        <UsernameField
          email={email}
          onEmail={onEmail}
          error={wasSent && email.trim() === '' ? accountWords.emailMissing : undefined}
        />
        <PasswordField
          label={accountWords.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={wasSent && password === '' ? accountWords.passwordMissing : undefined}
        />
        <ButtonGroup>
          <Button type="submit" variant="primary" block busy={isBusy}>
            {accountWords.signIn}
          </Button>
          <ButtonLink href={signUpPath(next ?? '/')} block>
            {accountWords.createAccount}
          </ButtonLink>
        </ButtonGroup>
      </Form>
      <p className={styles.forgot}>
        <Link href={`/login?${reset.toString()}`} className="link">
          {accountWords.forgotPassword}
        </Link>
      </p>
    </>
  );
}

interface ResetRequestProps extends EmailProps {
  /** The path to open after signing in, which the link back to the sign-in keeps. */
  next: string;
}

/** Requests the link to a new password. The answer is the same whether or not the address is known (ACCT-21). */
function ResetRequest({ email, onEmail, next }: ResetRequestProps) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);

  function submit(): void {
    // An existing account may have an address that the stricter rules for new ones would refuse.
    const isMissing = email.trim() === '';
    setProblem(isMissing ? accountWords.emailMissing : null);
    setFailure(null);
    if (isMissing) return;
    run(async () => {
      const answer = await callRoute('POST /api/accounts/request-password-reset', { email, ...roomOf(next) });
      if (answer.ok) setIsSent(true);
      else if (answer.error.code === 'input/invalid') setProblem(accountWords.emailUnfit);
      else setFailure(sentenceOf(answer.error));
    });
  }

  if (isSent) {
    return (
      <MailSent title={resetWords.sentTitle} lead={resetWords.sentLead} email={addressIn(email.trim())}>
        <ButtonLink href={loginPath(next)} variant="primary" block>
          {accountWords.backToLogin}
        </ButtonLink>
      </MailSent>
    );
  }
  return (
    <>
      <h1>{resetWords.title}</h1>
      <p className="lead">{resetWords.lead}</p>
      <Form onSubmit={submit} label={resetWords.title}>
        <UsernameField email={email} onEmail={onEmail} error={problem ?? undefined} />
        {failure !== null && <Note tone="bad">{failure}</Note>}
        <ButtonGroup>
          <Button type="submit" variant="primary" block busy={isBusy}>
            {resetWords.send}
          </Button>
          <ButtonLink href={loginPath(next)} block>
            {accountWords.backToLogin}
          </ButtonLink>
        </ButtonGroup>
      </Form>
    </>
  );
}

/** Signed in with an unverified address: the user can send the e-mail again, or go back to the form. */
function VerificationRequired({ email, next }: { email: string; next: string }) {
  const { callRoute, session } = useApp();
  const modals = useModals();
  const toast = useToast();
  const resending = useBusy();
  const leaving = useBusy();

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', roomOf(next));
    if (answer.ok) toast(accountWords.verificationResent);
    else {
      await modals.ok(resendFailed(answer.error));
      // This session is over: the link was opened elsewhere. The user has to sign in.
      if (answer.error.code === 'auth/required') await session.load();
    }
  }

  async function leave(): Promise<void> {
    const answer = await session.signOut();
    if (!answer.ok) await modals.ok(sentenceOf(answer.error));
  }

  return (
    <MailSent title={accountWords.verificationRequired} lead={verificationLead.required} email={email}>
      <ButtonGroup>
        <Button variant="primary" block busy={resending.isBusy} onClick={() => resending.run(resend)}>
          {accountWords.resend}
        </Button>
        <Button block busy={leaving.isBusy} onClick={() => leaving.run(leave)}>
          {accountWords.backToLogin}
        </Button>
      </ButtonGroup>
    </MailSent>
  );
}

/** Signing in: the form, what a stranger with a room's link sees instead of it, and the screens of its mails. */
import { useState } from 'react';
import { useSearch } from '../../store/address.ts';
import { Link, Redirect } from '../../ui/Link.tsx';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { lazyScreen } from '../../store/lazy-part.ts';
import { useFetched } from '../../store/use-fetched.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { Poster } from '../../ui/layout/Poster.tsx';
import styles from './LoginScreen.module.css';
import { keptNext, mayBeShared, safeNext, signUpPath } from './next-path.ts';
import { signInWords } from './sign-in-words.ts';
import { type EmailProps, UsernameField } from './UsernameField.tsx';
import { t } from '../../language/t.ts';

/** Fetched behind the form, so that it is there when the form gives way to it. */
const fetchMails = () => import('./SignInMails.tsx');
const WayIn = lazyScreen(async () => (await import('../way-in/WayIn.tsx')).WayIn);

export function LoginScreen() {
  const { session, pageOwner } = useApp();
  const now = useReadable(session.session);
  const config = useReadable(session.config);
  const query = new URLSearchParams(useSearch());
  const next = safeNext(query.get('next'));
  const [email, setEmail] = useState('');
  // Who signed up here for this room has an account.
  const [hasAccount, setHasAccount] = useState(() => keptNext() === next);
  const mails = useFetched(fetchMails);

  if (now.status === 'signed-in') return <Redirect to={next} />;
  if (mayBeShared(next) && !hasAccount && now.status !== 'unverified' && !query.has('reset')) {
    return <WayIn next={next} onSignIn={() => setHasAccount(true)} />;
  }
  return (
    <Poster line={signInWords.tagLine}>
      {now.status === 'unverified' ? (
        mails && <mails.VerificationRequired email={now.email} next={next} />
      ) : query.has('reset') ? (
        mails && <mails.ResetRequest email={email} onEmail={setEmail} next={next} />
      ) : (
        <LoginForm
          isKnown={pageOwner.get() !== null || config?.knowsBrowser === true || (hasAccount && mayBeShared(next))}
          email={email}
          onEmail={setEmail}
          next={query.get('next')}
        />
      )}
    </Poster>
  );
}

interface LoginFormProps extends EmailProps {
  /** The user has an account here, or this browser was signed in before. */
  isKnown: boolean;
  /** The path to open after signing in; the links of this form keep it in their addresses. */
  next: string | null;
}

/** Shows any failure as 'Invalid credentials'; a reason other than the credentials is shown below it. */
function LoginForm({ isKnown, email, onEmail, next }: LoginFormProps) {
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
        if (answer.value.status === 'signed-in') toast(t`Login successful!`);
        return;
      }
      if (answer.error.code === 'auth/disabled') {
        void modals.ok(sentenceOf(answer.error));
        return;
      }
      const isTheirs = answer.error.code === 'auth/invalid-credentials' || answer.error.code === 'input/invalid';
      void modals.ok(signInWords.loginFailed, isTheirs ? {} : { text: sentenceOf(answer.error) });
    });
  }

  return (
    <>
      <h1>{isKnown ? t`Welcome back` : t`Hear the same second`}</h1>
      <Form onSubmit={submit} label={signInWords.signIn}>
        <UsernameField
          email={email}
          onEmail={onEmail}
          error={wasSent && email.trim() === '' ? signInWords.emailMissing : undefined}
        />
        <PasswordField
          label={signInWords.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={wasSent && password === '' ? signInWords.passwordMissing : undefined}
        />
        <ButtonGroup>
          <Button type="submit" variant="primary" block busy={isBusy}>
            {signInWords.signIn}
          </Button>
          <ButtonLink href={signUpPath(next ?? '/')} block>
            {signInWords.createAccount}
          </ButtonLink>
        </ButtonGroup>
      </Form>
      <p className={styles.forgot}>
        <Link href={`/login?${reset.toString()}`} className="link">
          {t`Forgot password?`}
        </Link>
      </p>
    </>
  );
}

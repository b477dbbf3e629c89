/** The screen that links in e-mails open: verifying an address, setting a new password, or an unknown action. */
import { useEffect, useRef, useState } from 'react';
import { navigate } from '../../store/address.ts';
import { useApp } from '../../app-context.ts';
import { sentenceOf, sentences } from '../../words/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { AlertIcon, CheckIcon } from '../../ui/icons/icons.tsx';
import { Poster } from '../../ui/layout/Poster.tsx';
import { accountWords, linkWords, resetWords } from '../account-words.ts';
import { newPasswordProblem } from '../form-rules.ts';
import { notificationWords } from '../../notifications/notification-words.ts';
import { keepNext, keptNext, loginPath, safeNext } from '../sign-in/next-path.ts';
import { roomLinkOf } from '../sign-in/next-room.ts';
import { Avatar } from '../../ui/records/Avatar.tsx';
import styles from './AuthActionScreen.module.css';
import { keepSignedUp } from './signed-up.ts';
import { NumberLine } from '../MailSent.tsx';
import { mailedWords, rejectedWords, type RejectionWords } from './mailed-words.ts';
import {
  createVerificationModel,
  isWorthRetrying,
  linkQuery,
  type MailedAccount,
  readLink,
  readLinkAction,
  type Verification,
  type VerificationModel,
} from './link-action-model.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

export function AuthActionScreen() {
  const [action] = useState(() => readLinkAction(window.location.search));
  return (
    <Poster line={accountWords.tagLine}>
      {action.mode === 'verifyEmail' && <Verifying oobCode={action.oobCode} />}
      {action.mode === 'resetPassword' && <NewPassword oobCode={action.oobCode} />}
      {action.mode === 'unknown' && <ActionFailed title={t`Link Not Recognized`} lead={linkWords.unknownLead} />}
    </Poster>
  );
}

/** Verifies the address once the user presses the button. */
function Verifying({ oobCode }: { oobCode: string }) {
  const { callRoute, session } = useApp();
  const [model] = useState(() => createVerificationModel(callRoute, oobCode));
  const verification = useReadable(model.verification);
  useEffect(() => void model.look(), [model]);
  const isSignedIn = verification.status === 'verified' && verification.isSignedIn;
  useEffect(() => {
    if (isSignedIn) void session.takeSignIn();
  }, [isSignedIn, session]);

  if (verification.status === 'loading') return <LoadingScreen fill={false} />;
  if (verification.status === 'processing') return <LoadingScreen fill={false} label={t`Verifying your email...`} />;
  if (verification.status === 'open') return <AskToVerify account={verification.account} model={model} />;
  if (verification.status === 'done') {
    return (
      <ActionDone title={linkWords.verifiedTitle} lead={sentences['auth/already-verified']}>
        <ButtonLink href={loginPath(nextOfLink())} variant="primary" block>
          {accountWords.goToLogin}
        </ButtonLink>
      </ActionDone>
    );
  }
  if (verification.status === 'verified') return <Verified verification={verification} model={model} />;
  if (verification.status === 'rejected') {
    return (
      <ActionDone {...rejectedWords[verification.was]}>
        <ButtonLink href="/signup" variant="primary" block>
          {accountWords.createAccount}
        </ButtonLink>
      </ActionDone>
    );
  }
  if (verification.status === 'failed') {
    const { refusal } = verification;
    return <ActionFailed title={t`Verification Failed`} lead={refusal ? sentenceOf(refusal) : linkWords.failedLead} />;
  }
  // The server answered: it is busy, or a rate limit was reached.
  const isUnreachable = verification.refusal.code === 'server/unavailable';
  return (
    <ActionFailed
      title={isUnreachable ? t`Can't reach the server` : t`Not verified yet`}
      lead={sentenceOf(verification.refusal)}
    >
      <Button variant="primary" block onClick={() => void model.start()}>
        {t`Try Again`}
      </Button>
    </ActionFailed>
  );
}

/** Says whose sign-up it is, so that no reader confirms one that a stranger made with their address. */
function AskToVerify({ account, model }: { account: MailedAccount | null; model: VerificationModel }) {
  const rejection = useRejection(model);
  return (
    <>
      <h1>{account ? t`Is this your account?` : t`Verify your email`}</h1>
      {account && (
        <>
          <div className={styles.account}>
            <Avatar id={account.email} name={account.name} size="lg" />
            <p>
              <strong className="name" dir="auto">
                {account.name}
              </strong>
              <span>{account.email}</span>
            </p>
          </div>
          <p className="lead">{t`Go on only if you signed up yourself, just now.`}</p>
          <NumberLine number={account.number} words={mailedWords.number(account.number)} />
        </>
      )}
      {!account && <p className="lead">{t`Press the button to finish signing up.`}</p>}
      <ButtonGroup>
        <Button variant="primary" block onClick={() => void model.start()}>
          {t`Verify Email`}
        </Button>
        {account && (
          <Button
            variant="ghost"
            block
            busy={rejection.isBusy}
            onClick={() => rejection.ask(mailedWords.endSignUp(account.name))}
          >
            {linkWords.notMine}
          </Button>
        )}
      </ButtonGroup>
    </>
  );
}

/** Asks once, then rejects the sign-up. */
function useRejection(model: VerificationModel) {
  const modals = useModals();
  const { isBusy, run } = useBusy();
  async function reject({ failed, instead, ...question }: RejectionWords): Promise<void> {
    const isSure = await modals.confirm({ ...question, danger: true });
    const refusal = isSure ? await model.reject() : null;
    if (refusal) await modals.ok(failed, { text: sentenceOf(refusal, instead) });
  }
  return { isBusy, ask: (words: RejectionWords) => run(() => reject(words)) };
}

interface VerifiedProps {
  verification: Verification & { status: 'verified' };
  model: VerificationModel;
}

/** Where the person was on the way to: the mail says it, also on another device; this browser may know it too. */
const nextOfLink = (): string => {
  const mailed = safeNext(linkQuery(window.location.search).get('next'));
  return mailed === '/' ? keptNext() : mailed;
};

/** The ways to go on, and the button that deletes the account if the person never signed up. */
function Verified({ verification: { name, email, isSignedIn, rejectCode }, model }: VerifiedProps) {
  const rejection = useRejection(model);
  const [next] = useState(nextOfLink);
  useEffect(() => {
    keepNext('/');
    keepSignedUp(null);
    // The page of the sign-up, which opened this one, goes on by itself.
    if (isSignedIn && rejectCode === null && window.opener !== null) window.close();
  }, [isSignedIn, rejectCode]);

  const lead = isSignedIn ? t`You are signed in as ${name}.` : t`You can sign in now, as ${name}.`;
  return (
    <ActionDone title={linkWords.verifiedTitle} lead={lead}>
      {isSignedIn ? (
        <GoOn next={next} />
      ) : email === null ? (
        <ButtonLink href={loginPath(next)} variant="primary" block>
          {accountWords.goToLogin}
        </ButtonLink>
      ) : (
        <SignInHere email={email} next={next} />
      )}
      {rejectCode !== null && (
        <Button
          variant="quiet"
          block
          busy={rejection.isBusy}
          onClick={() => rejection.ask(mailedWords.deleteAccount(name))}
        >
          {linkWords.notMine}
        </Button>
      )}
    </ActionDone>
  );
}

/** In the browser that signed up. A press on the way to a room asks to come in. */
function GoOn({ next }: { next: string }) {
  const { session, taps } = useApp();
  const room = roomLinkOf(next);
  const ask = (): void => {
    const now = session.session.get();
    if (room !== null && now.status === 'signed-in') taps.begin(room, now.user.uid);
  };
  return (
    <ButtonLink href={room ?? next} onClick={ask} variant="primary" block>
      {room !== null ? notificationWords.askToJoin : next === '/' ? t`Go to Home` : linkWords.goOn}
    </ButtonLink>
  );
}

/**
 * On another device: the page that signed up goes on by itself. This one asks for the password, so that a link leads
 * no reader into an account that a stranger made with their address.
 */
function SignInHere({ email, next }: { email: string; next: string }) {
  const { session } = useApp();
  const { isBusy, run } = useBusy();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function submit(): void {
    setProblem(password === '' ? accountWords.passwordMissing : null);
    if (password === '') return;
    run(async () => {
      const answer = await session.signIn(email, password);
      if (answer.ok) navigate(next, { replace: true });
      else setProblem(sentenceOf(answer.error, { 'auth/invalid-credentials': accountWords.loginFailed }));
    });
  }

  return (
    <>
      <p>{mailedWords.goesOn}</p>
      <Form onSubmit={submit} label={accountWords.signIn}>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={problem ?? undefined}
        />
        <Button type="submit" block busy={isBusy}>
          {accountWords.signIn}
        </Button>
      </Form>
    </>
  );
}

/** Sets a new password. The code of the link is used up when the form is sent, not before. */
function NewPassword({ oobCode }: { oobCode: string }) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<'loading' | 'open' | 'saved' | 'failed'>('loading');
  /** The password of a press that got no answer. */
  const unanswered = useRef<string | null>(null);
  useEffect(() => {
    void readLink(callRoute, 'resetPassword', oobCode).then(({ status }) =>
      setOutcome(status === 'done' ? 'saved' : status === 'over' ? 'failed' : 'open'),
    );
  }, [callRoute, oobCode]);

  /** The answer to an earlier press was lost: the link was used by this page. */
  const wasSaved = async (): Promise<boolean> =>
    unanswered.current === password && (await readLink(callRoute, 'resetPassword', oobCode)).status === 'done';

  function submit(): void {
    const found = newPasswordProblem(password);
    setProblem(found === null ? null : accountWords[found]);
    if (found !== null) return;
    run(async () => {
      const answer = await callRoute('POST /api/accounts/reset-password', { oobCode, password });
      if (answer.ok) setOutcome('saved');
      else if (answer.error.code === 'auth/code-invalid') setOutcome((await wasSaved()) ? 'saved' : 'failed');
      else {
        if (isWorthRetrying(answer.error)) unanswered.current = password;
        setProblem(sentenceOf(answer.error));
      }
    });
  }

  if (outcome === 'loading') return <LoadingScreen fill={false} />;
  if (outcome === 'saved') {
    return (
      <ActionDone title={t`Password changed`} lead={t`You can sign in now.`}>
        <ButtonLink href={loginPath(nextOfLink())} variant="primary" block>
          {accountWords.goToLogin}
        </ButtonLink>
      </ActionDone>
    );
  }
  if (outcome === 'failed') {
    return (
      <ActionFailed title={t`Reset Failed`} lead={t`This link may have expired or already been used.`}>
        <ButtonLink href="/login?reset=" variant="primary" block>
          {t`Get a New Link`}
        </ButtonLink>
      </ActionFailed>
    );
  }
  return (
    <>
      <h1>{resetWords.newTitle}</h1>
      <Form onSubmit={submit} label={resetWords.newTitle}>
        <PasswordField
          label={t`New password`}
          name="password"
          autoComplete="new-password"
          hint={accountWords.passwordHint}
          required
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setProblem(null);
          }}
          error={problem ?? undefined}
        />
        <Button type="submit" variant="primary" block busy={isBusy}>
          {t`Save Password`}
        </Button>
      </Form>
    </>
  );
}

/** Success, with the links to go on. */
function ActionDone({ title, lead, children }: { title: string; lead: string; children: Elements }) {
  return (
    <>
      <span className={styles.good}>
        <CheckIcon size={32} />
      </span>
      <h1>{title}</h1>
      <output className="lead">{lead}</output>
      <ButtonGroup>{children}</ButtonGroup>
    </>
  );
}

/** Failure. `children` are buttons before 'Back to Login', which then becomes a secondary button. */
function ActionFailed({ title, lead, children }: { title: string; lead: string; children?: Elements }) {
  return (
    <>
      <span className={styles.bad}>
        <AlertIcon size={40} />
      </span>
      <h1>{title}</h1>
      <p className="lead" role="alert">
        {lead}
      </p>
      <ButtonGroup>
        {children}
        <ButtonLink href="/login" variant={children ? 'quiet' : 'primary'} block>
          {accountWords.backToLogin}
        </ButtonLink>
      </ButtonGroup>
    </>
  );
}

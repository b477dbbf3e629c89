/** Creating an account, where the server allows it: the form, then the message that an e-mail was sent. */
import type { SignUpMode } from '@tunemate/protocol';
import { useState, useCallback, useEffect, useEffectEvent } from 'react';
import { navigate, useSearch } from '../../store/address.ts';
import { Link, Redirect } from '../../ui/Link.tsx';
import { useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink, Spinner } from '../../ui/buttons/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { EmailField } from '../../ui/fields/EmailField.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Poster } from '../../ui/layout/Poster.tsx';
import { accountWords, signUpFailed, signUpHere, resendFailed, verificationLead } from '../account-words.ts';
import { keepNext, loginPath, safeNext } from '../sign-in/next-path.ts';
import { roomOf, roomLinkOf } from '../sign-in/next-room.ts';
import { entriesLeft, SignUpSteps } from '../way-in/SignUpSteps.tsx';
import { useSignUpForm, type SignUpForm } from './sign-up-form.ts';
import { keepSignedUp, keptSignedUp, waitForLink, type SignedUp } from './signed-up.ts';
import { deviceClock } from '../../store/clock.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useModel } from '../../store/use-model.ts';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { MailSent, NumberLine } from '../MailSent.tsx';
import { RoomLine } from '../way-in/RoomFrame.tsx';
import { kindWords } from '../way-in/way-in-words.ts';
import styles from './VerificationSent.module.css';
import { t } from '../../language/t.ts';

export function SignupScreen() {
  const [signedUp, setSignedUp] = useState(keptSignedUp);
  const query = new URLSearchParams(useSearch());
  // A link may be pasted with the bracket or stop behind it.
  const invitation = /[\w-]+/.exec(query.get('invitation') ?? '')?.[0] ?? null;
  const next = safeNext(query.get('next'));
  const { session } = useApp();
  const mode = useReadable(session.config)?.signUp ?? 'open';
  const { status } = useReadable(session.session);
  const { room } = roomOf(next);
  const form = useSignUpForm({
    invitation,
    next,
    onSignedUp(signedUp) {
      keepNext(next);
      keepSignedUp(signedUp);
      setSignedUp(signedUp);
    },
  });
  // Stays when the operator closes sign-up meanwhile.
  if (signedUp !== null) {
    const change = (): void => {
      keepSignedUp(null);
      setSignedUp(null);
    };
    return (
      <Poster line={accountWords.tagLine}>
        <VerificationSent {...signedUp} next={next} onChange={change} />
      </Poster>
    );
  }
  if (status === 'signed-in') return <Redirect to={next} />;
  const isForm = mode === 'open' || (mode === 'invite' && invitation !== null);
  if (isForm && room) return <SignUpSteps form={form} room={room} next={next} />;
  return (
    <Poster line={accountWords.tagLine}>
      {isForm ? <SignupForm form={form} next={next} /> : <NoSignUp mode={mode} next={next} />}
    </Poster>
  );
}

function NoSignUp({ mode, next }: { mode: SignUpMode; next: string }) {
  return (
    <>
      <h1>{accountWords.createYourAccount}</h1>
      <p>{mode === 'closed' ? signUpHere.closed : signUpHere.invite}</p>
      <HaveAccount next={next} />
    </>
  );
}

/** Problems are shown below each field, refusals above the button. */
function SignupForm({ form, next }: { form: SignUpForm; next: string }) {
  const { wiring } = form;
  return (
    <>
      <h1>{accountWords.createYourAccount}</h1>
      <Form onSubmit={form.submit} label={accountWords.createAccount}>
        <TextField label={accountWords.name} autoComplete="name" {...wiring('name')} />
        <EmailField label={accountWords.email} autoComplete="email" {...wiring('email')} />
        <PasswordField
          label={accountWords.password}
          autoComplete="new-password"
          hint={accountWords.passwordHint}
          {...wiring('password')}
        />
        {form.refusal !== null && <Note tone="bad">{signUpFailed(form.refusal)}</Note>}
        <Button type="submit" variant="primary" block busy={form.isBusy}>
          {accountWords.createAccount}
        </Button>
      </Form>
      <HaveAccount next={next} />
    </>
  );
}

function HaveAccount({ next }: { next: string }) {
  return (
    <p>
      <span>{`${accountWords.haveAccount} `}</span>
      <Link href={loginPath(next)} className="link">
        {accountWords.goToLogin}
      </Link>
    </p>
  );
}

interface VerificationSentProps extends SignedUp {
  /** The path to open after signing in. */
  next: string;
  /** Back to the form. */
  onChange: () => void;
}

/** After signing up: the e-mail is on its way. The page goes on by itself once the link was opened, here or elsewhere. */
function VerificationSent({ email, ticket, number, next, onChange }: VerificationSentProps) {
  const { callRoute } = useApp();
  const modals = useModals();
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const isOver = useGoingOn(email, ticket, next);
  const { room } = roomOf(next);

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', { ticket, ...roomOf(next) });
    if (answer.ok) toast(accountWords.verificationResent);
    // The ticket is used up or expired, so the server does not know the address.
    else if (answer.error.code === 'auth/required') await modals.ok(accountWords.signUpAgain);
    else await modals.ok(resendFailed(answer.error));
  }

  return (
    <MailSent title={accountWords.verificationSent} lead={verificationLead.sent} email={email}>
      {room && <RoomLine kind={room.kind}>{kindWords[room.kind].next}</RoomLine>}
      <output className={styles.waiting}>
        {isOver ? (
          <span>{waitingWords.over}</span>
        ) : (
          <>
            <Spinner />
            <span>{waitingWords.goesOn}</span>
          </>
        )}
      </output>
      {!isOver && <NumberLine number={number} words={waitingWords.number(number)} />}
      <ButtonGroup>
        <ButtonLink href={loginPath(next)} variant={isOver ? 'primary' : undefined} block>
          {accountWords.goToLogin}
        </ButtonLink>
        <Button block busy={isBusy} onClick={() => run(resend)}>
          {accountWords.resendShort}
        </Button>
        <Button variant="ghost" block onClick={onChange}>
          {waitingWords.change}
        </Button>
      </ButtonGroup>
    </MailSent>
  );
}

/** Opens `next` once this browser is signed in. True when that can't happen any more. */
function useGoingOn(email: string, ticket: string, next: string): boolean {
  const { callRoute, session, taps } = useApp();
  const [isOver, setIsOver] = useState(false);
  const waiting = useModel(useCallback(() => waitForLink(callRoute, ticket, deviceClock), [callRoute, ticket]));

  const goOn = useEffectEvent(async (isSignedIn: boolean) => {
    // Another tab of this browser may have been signed in by the same link.
    await session.takeSignIn();
    await entriesLeft();
    const now = session.session.get();
    const isOurs = now.status === 'signed-in' && (isSignedIn || now.user.email === email.toLowerCase());
    keepSignedUp(null);
    if (!isOurs) return setIsOver(true);
    keepNext('/');
    const room = roomLinkOf(next);
    // The way in says before the sign-up that it asks to come in.
    if (room !== null) taps.begin(room, now.user.uid);
    navigate(room ?? next, { replace: true });
  });
  useEffect(() => {
    if (waiting === null) return undefined;
    const look = (): void => {
      const status = waiting.status.get();
      if (status !== 'waiting') void goOn(status === 'signed-in');
    };
    // The answer may have come before this effect.
    look();
    return waiting.status.subscribe(look);
  }, [waiting]);

  useEffect(() => {
    const wake = (): void => {
      if (document.visibilityState === 'visible') waiting?.wake();
    };
    document.addEventListener('visibilitychange', wake);
    return () => document.removeEventListener('visibilitychange', wake);
  }, [waiting]);
  return isOver;
}

/** While the page waits for the link in the mail. */
const waitingWords = {
  goesOn: t`This page goes on by itself once you have opened the link, here or on another device.`,
  number: (number: number) => t`The page that it opens shows the number ${String(number)}, as this one does.`,
  over: t`This page can’t go on by itself any more. If you opened the link, log in. If not, sign up again.`,
  change: t`Change the email`,
} as const;

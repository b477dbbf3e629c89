/** The mails of signing in: the request for a link to a new password, and the screen for an unverified address. */
import { addressIn } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { navigate } from '../../store/address.ts';
import { useReadable } from '../../store/use-readable.ts';
import { around, gap, t } from '../../language/t.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { MailSent } from '../MailSent.tsx';
import { accountWords, resendFailed, resetWords, verificationLead } from '../account-words.ts';
import { keepNext, loginPath } from './next-path.ts';
import { roomOf } from './next-room.ts';
import { type EmailProps, UsernameField } from './UsernameField.tsx';

interface ResetRequestProps extends EmailProps {
  /** The path to open after signing in, which the link back to the sign-in keeps. */
  next: string;
}

/** Requests the link to a new password. The answer is the same whether or not the address is known (ACCT-21). */
export function ResetRequest({ email, onEmail, next }: ResetRequestProps) {
  const { callRoute } = useApp();
  const hasNoMail = useHasNoMail();
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
      const answer = await callRoute('POST /api/accounts/request-password-reset', { email });
      if (answer.ok) {
        keepNext(next);
        setIsSent(true);
      } else if (answer.error.code === 'input/invalid') setProblem(accountWords.emailUnfit);
      else setFailure(sentenceOf(answer.error));
    });
  }

  if (isSent) {
    return (
      <MailSent {...(hasNoMail ? byOperator.asked : mailed.asked)} email={addressIn(email.trim())}>
        <ButtonLink href={loginPath(next)} variant="primary" block>
          {accountWords.backToLogin}
        </ButtonLink>
      </MailSent>
    );
  }
  return (
    <>
      <h1>{resetWords.title}</h1>
      <p className="lead">{hasNoMail ? byOperator.lead : t`Tell us your email and we send you a link.`}</p>
      <Form onSubmit={submit} label={resetWords.title}>
        <UsernameField email={email} onEmail={onEmail} error={problem ?? undefined} />
        {failure !== null && <Note tone="bad">{failure}</Note>}
        <ButtonGroup>
          <Button type="submit" variant="primary" block busy={isBusy}>
            {hasNoMail ? t`Ask for a Link` : t`Send Reset Link`}
          </Button>
          <ButtonLink href={loginPath(next)} block>
            {accountWords.backToLogin}
          </ButtonLink>
        </ButtonGroup>
      </Form>
    </>
  );
}

/** Whether an operator takes the place of a mail server. */
const useHasNoMail = (): boolean => useReadable(useApp().session.config)?.noMail !== undefined;

const mailed = { asked: { title: t`Check your email`, lead: resetWords.sentLead } } as const;

/** On a server without a mail server. The address is put between the two halves of a lead. */
const byOperator = {
  lead: t`Tell us your email. This server sends no mail: the person who runs it gets a link for you.`,
  asked: {
    title: t`Ask the person who runs this server`,
    lead: around(t`If ${gap} has an account, the person who runs this server has a link for you. Ask them for it.`),
  },
  notYet: around(t`${gap} is not verified yet.`),
  waits: t`This server sends no mail. The person who runs it can let you in.`,
} as const;

/** Signed in with an unverified address: the user can send the e-mail again, or go back to the form. */
export function VerificationRequired({ email, next }: { email: string; next: string }) {
  const { callRoute, session } = useApp();
  const modals = useModals();
  const toast = useToast();
  const hasNoMail = useHasNoMail();
  const resending = useBusy();
  const leaving = useBusy();

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', roomOf(next));
    // On the machine of a server without a mail server.
    if (answer.ok && answer.value.mail) navigate(answer.value.mail.link);
    else if (answer.ok) toast(accountWords.verificationResent);
    else {
      void modals.ok(resendFailed(answer.error));
      // This session is over: the link was opened elsewhere. The user has to sign in.
      if (answer.error.code === 'auth/required') await session.load();
    }
  }

  async function leave(): Promise<void> {
    const answer = await session.signOut();
    if (!answer.ok) void modals.ok(sentenceOf(answer.error));
  }

  return (
    <MailSent
      title={t`Email Verification Required`}
      lead={hasNoMail ? byOperator.notYet : verificationLead.required}
      email={email}
    >
      {hasNoMail && <p>{byOperator.waits}</p>}
      <ButtonGroup>
        <Button variant="primary" block busy={resending.isBusy} onClick={() => resending.run(resend)}>
          {t`Resend Verification Email`}
        </Button>
        <Button block busy={leaving.isBusy} onClick={() => leaving.run(leave)}>
          {accountWords.backToLogin}
        </Button>
      </ButtonGroup>
    </MailSent>
  );
}

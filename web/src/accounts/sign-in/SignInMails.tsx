/** The mails of signing in: the request for a link to a new password, and the screen for an unverified address. */
import { addressIn } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { MailSent } from '../MailSent.tsx';
import { accountWords, resendFailed, resetWords, verificationLead } from '../account-words.ts';
import { loginPath } from './next-path.ts';
import { roomOf } from './next-room.ts';
import { type EmailProps, UsernameField } from './UsernameField.tsx';

interface ResetRequestProps extends EmailProps {
  /** The path to open after signing in, which the link back to the sign-in keeps. */
  next: string;
}

/** Requests the link to a new password. The answer is the same whether or not the address is known (ACCT-21). */
export function ResetRequest({ email, onEmail, next }: ResetRequestProps) {
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
export function VerificationRequired({ email, next }: { email: string; next: string }) {
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

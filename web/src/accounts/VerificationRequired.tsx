/** Signed in with an unverified address: the user can send the e-mail again, or go back to the form. */
import { AddressLead } from './AddressLead.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { useApp } from '../app-context.ts';
import { accountCopy, resendFailed, verificationLead } from './account-words.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { MailIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { ButtonGroup } from '../ui/buttons/ButtonGroup.tsx';
import { useToast } from '../ui/feedback/toasts.ts';

export function VerificationRequired({ email }: { email: string }) {
  const { callRoute, session } = useApp();
  const config = useReadable(session.config);
  const modals = useModals();
  const toast = useToast();
  const resending = useBusy();
  const leaving = useBusy();

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', {});
    if (answer.ok) toast(accountCopy.verificationResent);
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
    <>
      <MailIcon size={40} />
      <h1>{accountCopy.verificationRequired}</h1>
      <AddressLead words={verificationLead.required} email={email} />
      <OutboxHint path={config?.outboxPath ?? null} />
      <ButtonGroup>
        <Button variant="primary" block busy={resending.isBusy} onClick={() => resending.run(resend)}>
          {accountCopy.resend}
        </Button>
        <Button block busy={leaving.isBusy} onClick={() => leaving.run(leave)}>
          {accountCopy.backToLogin}
        </Button>
      </ButtonGroup>
    </>
  );
}

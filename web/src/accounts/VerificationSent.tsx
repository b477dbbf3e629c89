/** After signing up: an e-mail was sent, and can be sent again from this page. */
import { AddressLead } from './AddressLead.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { useApp } from '../app-context.ts';
import { loginPath } from './safe-next.ts';
import { accountCopy, resendFailed, verificationLead } from './account-words.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { MailIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { ButtonGroup } from '../ui/buttons/ButtonGroup.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { useToast } from '../ui/feedback/toasts.ts';

/** What the form hands over: the address of the e-mail, and the ticket to send it again. */
export interface SignedUp {
  readonly email: string;
  readonly ticket: string;
}

/** `next` is the path to open after signing in. */
export function VerificationSent({ email, ticket, next }: SignedUp & { next: string }) {
  const { callRoute, session } = useApp();
  const config = useReadable(session.config);
  const modals = useModals();
  const toast = useToast();
  const { isBusy, run } = useBusy();

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', { ticket });
    if (answer.ok) toast(accountCopy.verificationResent);
    // The ticket is used up or expired, so the server does not know the address.
    else if (answer.error.code === 'auth/required') await modals.ok(accountCopy.signUpAgain);
    else await modals.ok(resendFailed(answer.error));
  }

  return (
    <>
      <MailIcon size={40} />
      <h1>{accountCopy.verificationSent}</h1>
      <AddressLead words={verificationLead.sent} email={email} />
      <OutboxHint path={config?.outboxPath ?? null} />
      <ButtonGroup>
        <ButtonLink href={loginPath(next)} variant="primary" block>
          {accountCopy.goToLogin}
        </ButtonLink>
        <Button block busy={isBusy} onClick={() => run(resend)}>
          {accountCopy.resendShort}
        </Button>
      </ButtonGroup>
    </>
  );
}

/** Asking for the link to a new password. The answer is the same whether or not the address is known (ACCT-21). */
import { useState } from 'react';
import { AddressLead } from './AddressLead.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { useApp } from '../app-context.ts';
import { accountCopy, resetCopy } from './account-words.ts';
import { loginPath } from './safe-next.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { EmailField } from '../ui/fields/EmailField.tsx';
import { Form } from '../ui/fields/Form.tsx';
import { MailIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { ButtonGroup } from '../ui/buttons/ButtonGroup.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { Note } from '../ui/feedback/Note.tsx';

export interface ResetRequestProps {
  email: string;
  onEmail: (email: string) => void;
  /** The path to open after signing in, which the way back to that keeps. */
  next: string;
}

export function ResetRequest({ email, onEmail, next }: ResetRequestProps) {
  const { callRoute, session } = useApp();
  const config = useReadable(session.config);
  const { isBusy, run } = useBusy();
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);

  function submit(): void {
    // An existing account may have an address that the stricter rules for new ones would refuse.
    const isMissing = email.trim() === '';
    setProblem(isMissing ? accountCopy.emailMissing : null);
    setFailure(null);
    if (isMissing) return;
    run(async () => {
      const answer = await callRoute('POST /api/accounts/request-password-reset', { email });
      if (answer.ok) setIsSent(true);
      else if (answer.error.code === 'input/invalid') setProblem(accountCopy.emailUnfit);
      else setFailure(sentenceOf(answer.error));
    });
  }

  if (isSent) {
    return (
      <>
        <MailIcon size={40} />
        <h1>{resetCopy.sentTitle}</h1>
        <AddressLead words={resetCopy.sentLead} email={email.trim()} />
        <OutboxHint path={config?.outboxPath ?? null} />
        <ButtonLink href={loginPath(next)} variant="primary" block>
          {accountCopy.backToLogin}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <h1>{resetCopy.title}</h1>
      <p className="lead">{resetCopy.lead}</p>
      <Form onSubmit={submit} label={resetCopy.title}>
        <EmailField
          label={accountCopy.email}
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => onEmail(event.target.value)}
          error={problem ?? undefined}
        />
        {failure !== null && <Note tone="bad">{failure}</Note>}
        <ButtonGroup>
          <Button type="submit" variant="primary" block busy={isBusy}>
            {resetCopy.send}
          </Button>
          <ButtonLink href={loginPath(next)} block>
            {accountCopy.backToLogin}
          </ButtonLink>
        </ButtonGroup>
      </Form>
    </>
  );
}

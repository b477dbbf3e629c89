/** Verifies an address as soon as the page is open, and shows the result. */
import { useEffect, useState } from 'react';
import { createVerificationModel, type Verification, type VerificationModel } from './link-action-model.ts';
import { useApp } from '../app-context.ts';
import { keepNext, keptNext, loginPath } from './safe-next.ts';
import { accountCopy, linkWords } from './account-words.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { ActionDone } from './ActionDone.tsx';
import { ActionFailed } from './ActionFailed.tsx';

export function Verifying({ oobCode }: { oobCode: string }) {
  const { callRoute, session } = useApp();
  const [model] = useState(() => createVerificationModel(callRoute, oobCode));
  const verification = useReadable(model.verification);
  useEffect(() => void model.start(), [model]);
  const isSignedIn = verification.status === 'verified' && verification.isSignedIn;
  useEffect(() => {
    if (isSignedIn) void session.takeSignIn();
  }, [isSignedIn, session]);

  if (verification.status === 'processing') return <LoadingScreen fill={false} label={linkWords.verifying} />;
  if (verification.status === 'verified') return <Verified verification={verification} model={model} />;
  if (verification.status === 'rejected') {
    return (
      <ActionDone title={linkWords.rejectedTitle} lead={linkWords.rejectedLead}>
        <ButtonLink href="/signup" variant="primary" block>
          {accountCopy.createAccount}
        </ButtonLink>
      </ActionDone>
    );
  }
  if (verification.status === 'failed') {
    return <ActionFailed title={linkWords.failedTitle} lead={linkWords.failedLead} />;
  }
  // The server answered: it is busy, or a rate limit was reached.
  const isUnreachable = verification.refusal.code === 'server/unavailable';
  return (
    <ActionFailed
      title={isUnreachable ? linkWords.unreachableTitle : linkWords.notYetTitle}
      lead={sentenceOf(verification.refusal)}
    >
      <Button variant="primary" block onClick={() => void model.start()}>
        {linkWords.tryAgain}
      </Button>
    </ActionFailed>
  );
}

interface VerifiedProps {
  verification: Verification & { status: 'verified' };
  model: VerificationModel;
}

/** The links to go on, and the button that deletes the account if the person never signed up. */
function Verified({ verification: { name, isSignedIn, rejectCode }, model }: VerifiedProps) {
  const modals = useModals();
  const { isBusy, run } = useBusy();
  const [next] = useState(keptNext);
  useEffect(() => keepNext('/'), []);

  async function reject(): Promise<void> {
    const isSure = await modals.confirm({
      question: linkWords.rejectQuestion(name),
      consequence: linkWords.rejectConsequence,
      action: linkWords.rejectAction,
      danger: true,
    });
    const refusal = isSure ? await model.reject() : null;
    const instead = { 'auth/code-invalid': linkWords.rejectTooLate };
    if (refusal) await modals.ok(linkWords.rejectFailed, { text: sentenceOf(refusal, instead) });
  }

  const lead = isSignedIn ? linkWords.signedInLead(name) : linkWords.verifiedLead(name);
  return (
    <ActionDone title={linkWords.verifiedTitle} lead={lead}>
      <ButtonLink href={isSignedIn ? next : loginPath(next)} variant="primary" block>
        {!isSignedIn ? accountCopy.goToLogin : next === '/' ? linkWords.goHome : linkWords.goOn}
      </ButtonLink>
      {rejectCode !== null && (
        <Button variant="quiet" block busy={isBusy} onClick={() => run(reject)}>
          {linkWords.notMine}
        </Button>
      )}
    </ActionDone>
  );
}

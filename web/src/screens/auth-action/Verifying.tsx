/** Verifies an address as soon as the page is open, and says what came of it. */
import { useEffect, useState } from 'react';
import { createVerificationModel } from '../../accounts/link-action-model.ts';
import { useApp } from '../../app-context.ts';
import { linkWords } from '../../copy/accounts.ts';
import { sentenceOf } from '../../copy/sentences.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/keys/Button.tsx';
import { LoadingScreen } from '../../ui/notices/LoadingScreen.tsx';
import { ActionDone } from './ActionDone.tsx';
import { ActionFailed } from './ActionFailed.tsx';

export function Verifying({ oobCode }: { oobCode: string }) {
  const { callRoute, session } = useApp();
  const [model] = useState(() => createVerificationModel(callRoute, oobCode));
  const verification = useReadable(model.verification);
  useEffect(() => void model.start(), [model]);
  const isVerified = verification.status === 'verified';
  useEffect(() => {
    // This browser may hold the very session that waited for it.
    if (isVerified) void session.load();
  }, [isVerified, session]);

  if (verification.status === 'processing') return <LoadingScreen fill={false} label={linkWords.verifying} />;
  if (verification.status === 'verified') {
    return <ActionDone title={linkWords.verifiedTitle} lead={linkWords.verifiedLead} />;
  }
  if (verification.status === 'failed') {
    return <ActionFailed title={linkWords.failedTitle} lead={linkWords.failedLead} />;
  }
  return (
    <ActionFailed title={linkWords.unreachableTitle} lead={sentenceOf(verification.refusal)}>
      <Button variant="primary" block onClick={() => void model.start()}>
        {linkWords.tryAgain}
      </Button>
    </ActionFailed>
  );
}

/** The screen that links in e-mails open: verifying an address, setting a new password, or an unknown action. */
import { useState } from 'react';
import { readLinkAction } from './link-action-model.ts';
import { accountCopy, linkWords } from './account-words.ts';
import { Poster } from '../ui/layout/Poster.tsx';
import { ActionFailed } from './ActionFailed.tsx';
import { NewPassword } from './NewPassword.tsx';
import { Verifying } from './Verifying.tsx';

export function AuthActionScreen() {
  const [action] = useState(() => readLinkAction(window.location.search));
  return (
    <Poster line={accountCopy.tagLine}>
      {action.mode === 'verifyEmail' && <Verifying oobCode={action.oobCode} />}
      {action.mode === 'resetPassword' && <NewPassword oobCode={action.oobCode} />}
      {action.mode === 'unknown' && <ActionFailed title={linkWords.unknownTitle} lead={linkWords.unknownLead} />}
    </Poster>
  );
}

/** Creating an account: the form, then the message that an e-mail was sent. */
import { useState } from 'react';
import { accountCopy } from './account-words.ts';
import { Poster } from '../ui/layout/Poster.tsx';
import { SignupForm } from './SignupForm.tsx';
import { VerificationSent, type SignedUp } from './VerificationSent.tsx';

export function SignupScreen() {
  const [signedUp, setSignedUp] = useState<SignedUp | null>(null);
  return (
    <Poster line={accountCopy.tagLine}>
      {signedUp === null ? <SignupForm onSignedUp={setSignedUp} /> : <VerificationSent {...signedUp} />}
    </Poster>
  );
}

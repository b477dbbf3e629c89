/** Making an account: the form, then the word that a mail is on its way. */
import { useState } from 'react';
import { accountWords } from '../../copy/accounts.ts';
import { Poster } from '../../ui/frame/Poster.tsx';
import { SignupForm } from './SignupForm.tsx';
import { VerificationSent } from './VerificationSent.tsx';

/** What the form leaves behind: whom the mail goes to, and the right to ask for it again. */
export interface SignedUp {
  readonly email: string;
  readonly ticket: string;
}

export function SignupScreen() {
  const [signedUp, setSignedUp] = useState<SignedUp | null>(null);
  return (
    <Poster line={accountWords.tagLine}>
      {signedUp === null ? <SignupForm onSignedUp={setSignedUp} /> : <VerificationSent {...signedUp} />}
    </Poster>
  );
}

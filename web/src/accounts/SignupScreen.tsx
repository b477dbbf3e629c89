/** Creating an account, where the server lets one: the form, then the message that an e-mail was sent. */
import type { SignUpMode } from '@tunemate/protocol';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { Poster } from '../ui/layout/Poster.tsx';
import { accountCopy, signUpHere } from './account-words.ts';
import { keepNext, safeNext } from './safe-next.ts';
import { HaveAccount, SignupForm } from './SignupForm.tsx';
import { VerificationSent, type SignedUp } from './VerificationSent.tsx';

export function SignupScreen() {
  const [signedUp, setSignedUp] = useState<SignedUp | null>(null);
  const query = new URLSearchParams(useSearch());
  const invitation = query.get('invitation');
  const next = safeNext(query.get('next'));
  const mode = useReadable(useApp().session.config)?.signUp ?? 'open';
  // A new account is kept in view, whatever the operator orders meanwhile.
  if (signedUp !== null) {
    return (
      <Poster line={accountCopy.tagLine}>
        <VerificationSent {...signedUp} next={next} />
      </Poster>
    );
  }
  const isForm = mode === 'open' || (mode === 'invite' && invitation !== null);
  return (
    <Poster line={accountCopy.tagLine}>
      {isForm ? (
        <SignupForm
          invitation={invitation}
          next={next}
          onSignedUp={(signedUp) => {
            keepNext(next);
            setSignedUp(signedUp);
          }}
        />
      ) : (
        <NoSignUp mode={mode} next={next} />
      )}
    </Poster>
  );
}

function NoSignUp({ mode, next }: { mode: SignUpMode; next: string }) {
  return (
    <>
      <h1>{accountCopy.createYourAccount}</h1>
      <p>{mode === 'closed' ? signUpHere.closed : signUpHere.invite}</p>
      <HaveAccount next={next} />
    </>
  );
}

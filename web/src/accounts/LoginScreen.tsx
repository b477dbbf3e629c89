/** Signing in: the form, the link to a new password, and the screen for an unverified address. */
import { useState } from 'react';
import { Redirect, useSearch } from 'wouter';
import { safeNext } from './safe-next.ts';
import { useApp } from '../app-context.ts';
import { accountCopy } from './account-words.ts';
import { useReadable } from '../store/use-readable.ts';
import { Poster } from '../ui/layout/Poster.tsx';
import { LoginForm } from './LoginForm.tsx';
import { ResetRequest } from './ResetRequest.tsx';
import { VerificationRequired } from './VerificationRequired.tsx';

export function LoginScreen() {
  const { session } = useApp();
  const now = useReadable(session.session);
  const query = new URLSearchParams(useSearch());
  const next = safeNext(query.get('next'));
  const [email, setEmail] = useState('');

  if (now.status === 'signed-in') return <Redirect to={next} replace />;
  return (
    <Poster line={accountCopy.tagLine}>
      {now.status === 'unverified' ? (
        <VerificationRequired email={now.email} />
      ) : query.has('reset') ? (
        <ResetRequest email={email} onEmail={setEmail} next={next} />
      ) : (
        <LoginForm email={email} onEmail={setEmail} next={query.get('next')} />
      )}
    </Poster>
  );
}

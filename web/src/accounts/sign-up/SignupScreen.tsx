/** Creating an account, where the server allows it: the form, then the message that an e-mail was sent. */
import type { SignUpMode } from '@tunemate/protocol';
import { useState } from 'react';
import { useSearch } from '../../store/address.ts';
import { Link, Redirect } from '../../ui/Link.tsx';
import { useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { EmailField } from '../../ui/fields/EmailField.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Poster } from '../../ui/layout/Poster.tsx';
import { accountWords, signUpFailed, signUpHere } from '../account-words.ts';
import { keepNext, loginPath, safeNext } from '../sign-in/next-path.ts';
import { roomOf } from '../sign-in/next-room.ts';
import { SignUpSteps } from '../way-in/SignUpSteps.tsx';
import { useSignUpForm, type SignUpForm } from './sign-up-form.ts';
import { keepSignedUp, keptSignedUp } from './signed-up.ts';
import { VerificationSent } from './VerificationSent.tsx';
import { t } from '../../language/t.ts';

export function SignupScreen() {
  const [signedUp, setSignedUp] = useState(keptSignedUp);
  const query = new URLSearchParams(useSearch());
  // A link may be pasted with the bracket or stop behind it.
  const invitation = /[\w-]+/.exec(query.get('invitation') ?? '')?.[0] ?? null;
  const next = safeNext(query.get('next'));
  const { session } = useApp();
  const mode = useReadable(session.config)?.signUp ?? 'open';
  const { status } = useReadable(session.session);
  const { room } = roomOf(next);
  const form = useSignUpForm({
    invitation,
    next,
    onSignedUp(signedUp) {
      keepNext(next);
      keepSignedUp(signedUp);
      setSignedUp(signedUp);
    },
  });
  // Stays when the operator closes sign-up meanwhile.
  if (signedUp !== null) {
    const change = (): void => {
      keepSignedUp(null);
      setSignedUp(null);
    };
    return (
      <VerificationSent
        signedUp={signedUp}
        next={next}
        onChange={change}
        onResent={(mail) => {
          const now = { ...signedUp, ...(mail && { mail }) };
          keepSignedUp(now);
          setSignedUp(now);
        }}
      />
    );
  }
  if (status === 'signed-in') return <Redirect to={next} />;
  const isForm = mode === 'open' || (mode === 'invite' && invitation !== null);
  if (isForm && room) return <SignUpSteps form={form} room={room} next={next} />;
  return (
    <Poster line={accountWords.tagLine}>
      {isForm ? <SignupForm form={form} next={next} /> : <NoSignUp mode={mode} next={next} />}
    </Poster>
  );
}

function NoSignUp({ mode, next }: { mode: SignUpMode; next: string }) {
  return (
    <>
      <h1>{accountWords.createYourAccount}</h1>
      <p>{mode === 'closed' ? signUpHere.closed : signUpHere.invite}</p>
      <HaveAccount next={next} />
    </>
  );
}

/** Problems are shown below each field, refusals above the button. */
function SignupForm({ form, next }: { form: SignUpForm; next: string }) {
  const { wiring } = form;
  return (
    <>
      <h1>{accountWords.createYourAccount}</h1>
      <Form onSubmit={form.submit} label={accountWords.createAccount}>
        <TextField label={accountWords.name} autoComplete="name" {...wiring('name')} />
        <EmailField label={accountWords.email} autoComplete="email" {...wiring('email')} />
        <PasswordField
          label={accountWords.password}
          autoComplete="new-password"
          hint={accountWords.passwordHint}
          {...wiring('password')}
        />
        {form.refusal !== null && <Note tone="bad">{signUpFailed(form.refusal)}</Note>}
        <Button type="submit" variant="primary" block busy={form.isBusy}>
          {accountWords.createAccount}
        </Button>
      </Form>
      <HaveAccount next={next} />
    </>
  );
}

function HaveAccount({ next }: { next: string }) {
  return (
    <p>
      <span>{`${t`Already have an account?`} `}</span>
      <Link href={loginPath(next)} className="link">
        {accountWords.goToLogin}
      </Link>
    </p>
  );
}

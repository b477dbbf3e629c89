/** Name, email and password, all required; problems are shown below each field, refusals above the button. */
import type { Refusal } from '@tunemate/protocol';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { emailProblem, nameProblem, newPasswordProblem } from './form-rules.ts';
import { useApp } from '../app-context.ts';
import { accountCopy, signUpFailed } from './account-words.ts';
import { useBusy } from '../store/use-busy.ts';
import { EmailField } from '../ui/fields/EmailField.tsx';
import { Form } from '../ui/fields/Form.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { Note } from '../ui/feedback/Note.tsx';
import { loginPath } from './safe-next.ts';
import type { SignedUp } from './VerificationSent.tsx';

interface Typed {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}
type Problems = { readonly [Field in keyof Typed]?: string | undefined };

function problemsOf({ name, email, password }: Typed): Problems {
  const found = { name: nameProblem(name), email: emailProblem(email), password: newPasswordProblem(password) };
  return {
    name: found.name === null ? undefined : accountCopy[found.name],
    email: found.email === null ? undefined : accountCopy[found.email],
    password: found.password === null ? undefined : accountCopy[found.password],
  };
}

export interface SignupFormProps {
  /** Of the invitation link that the page was opened with; null for none. */
  invitation: string | null;
  /** The path to open after signing in. */
  next: string;
  onSignedUp: (signedUp: SignedUp) => void;
}

export function SignupForm({ invitation, next, onSignedUp }: SignupFormProps) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const [typed, setTyped] = useState<Typed>({ name: '', email: '', password: '' });
  const [problems, setProblems] = useState<Problems>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const fields = useRef(new Map<keyof Typed, HTMLInputElement | null>());

  function submit(): void {
    const found = problemsOf(typed);
    setProblems(found);
    setRefusal(null);
    const first = (['name', 'email', 'password'] as const).find((field) => found[field] !== undefined);
    if (first !== undefined) {
      fields.current.get(first)?.focus();
      return;
    }
    run(async () => {
      const answer = await callRoute('POST /api/accounts/sign-up', {
        ...typed,
        ...(invitation !== null && { invitation }),
      });
      if (answer.ok) onSignedUp({ email: typed.email.trim(), ticket: answer.value.ticket });
      else setRefusal(answer.error);
    });
  }

  const wiring = (field: keyof Typed) => ({
    name: field,
    required: true,
    value: typed[field],
    error: problems[field],
    ref: (element: HTMLInputElement | null) => {
      fields.current.set(field, element);
    },
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [field]: event.target.value });
      setProblems({ ...problems, [field]: undefined });
    },
  });

  return (
    <>
      <h1>{accountCopy.createYourAccount}</h1>
      <Form onSubmit={submit} label={accountCopy.createAccount}>
        <TextField label={accountCopy.name} autoComplete="name" {...wiring('name')} />
        <EmailField label={accountCopy.email} autoComplete="email" {...wiring('email')} />
        <PasswordField
          label={accountCopy.password}
          autoComplete="new-password"
          hint={accountCopy.passwordHint}
          {...wiring('password')}
        />
        {refusal !== null && <Note tone="bad">{signUpFailed(refusal)}</Note>}
        <Button type="submit" variant="primary" block busy={isBusy}>
          {accountCopy.createAccount}
        </Button>
      </Form>
      <HaveAccount next={next} />
    </>
  );
}

/** The way on for whoever signed up before. */
export function HaveAccount({ next }: { next: string }) {
  return (
    <p>
      {accountCopy.haveAccount}{' '}
      <Link href={loginPath(next)} className="link">
        {accountCopy.goToLogin}
      </Link>
    </p>
  );
}

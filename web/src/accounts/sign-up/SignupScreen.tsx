/** Creating an account, where the server allows it: the form, then the message that an e-mail was sent. */
import { addressIn, bare, type Refusal, type SignUpMode } from '@tunemate/protocol';
import { useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { useApp } from '../../app-context.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { EmailField } from '../../ui/fields/EmailField.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Poster } from '../../ui/layout/Poster.tsx';
import { MailSent } from '../MailSent.tsx';
import { accountWords, resendFailed, signUpFailed, signUpHere, verificationLead } from '../account-words.ts';
import { emailProblem, nameProblem, newPasswordProblem } from '../form-rules.ts';
import { keepNext, loginPath, roomOf, safeNext } from '../sign-in/next-path.ts';

export function SignupScreen() {
  const [signedUp, setSignedUp] = useState<SignedUp | null>(null);
  const query = new URLSearchParams(useSearch());
  // A link may be pasted with the bracket or stop behind it.
  const invitation = /[\w-]+/.exec(query.get('invitation') ?? '')?.[0] ?? null;
  const next = safeNext(query.get('next'));
  const mode = useReadable(useApp().session.config)?.signUp ?? 'open';
  // Stays when the operator closes sign-up meanwhile.
  if (signedUp !== null) {
    return (
      <Poster line={accountWords.tagLine}>
        <VerificationSent {...signedUp} next={next} />
      </Poster>
    );
  }
  const isForm = mode === 'open' || (mode === 'invite' && invitation !== null);
  return (
    <Poster line={accountWords.tagLine}>
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
      <h1>{accountWords.createYourAccount}</h1>
      <p>{mode === 'closed' ? signUpHere.closed : signUpHere.invite}</p>
      <HaveAccount next={next} />
    </>
  );
}

interface Typed {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}
type Problems = { readonly [Field in keyof Typed]?: string | undefined };

function problemsOf({ name, email, password }: Typed): Problems {
  const found = { name: nameProblem(name), email: emailProblem(email), password: newPasswordProblem(password) };
  return {
    name: found.name === null ? undefined : accountWords[found.name],
    email: found.email === null ? undefined : accountWords[found.email],
    password: found.password === null ? undefined : accountWords[found.password],
  };
}

interface SignupFormProps {
  /** Of the invitation link that the page was opened with; null for none. */
  invitation: string | null;
  /** The path to open after signing in. */
  next: string;
  onSignedUp: (signedUp: SignedUp) => void;
}

/** Problems are shown below each field, refusals above the button. */
function SignupForm({ invitation, next, onSignedUp }: SignupFormProps) {
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
        ...roomOf(next),
      });
      if (answer.ok) onSignedUp({ email: addressIn(bare(typed.email)), ticket: answer.value.ticket });
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
      <h1>{accountWords.createYourAccount}</h1>
      <Form onSubmit={submit} label={accountWords.createAccount}>
        <TextField label={accountWords.name} autoComplete="name" {...wiring('name')} />
        <EmailField label={accountWords.email} autoComplete="email" {...wiring('email')} />
        <PasswordField
          label={accountWords.password}
          autoComplete="new-password"
          hint={accountWords.passwordHint}
          {...wiring('password')}
        />
        {refusal !== null && <Note tone="bad">{signUpFailed(refusal)}</Note>}
        <Button type="submit" variant="primary" block busy={isBusy}>
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
      <span>{`${accountWords.haveAccount} `}</span>
      <Link href={loginPath(next)} className="link">
        {accountWords.goToLogin}
      </Link>
    </p>
  );
}

/** The address of the e-mail, and the ticket to send it again. */
interface SignedUp {
  readonly email: string;
  readonly ticket: string;
}

/** The e-mail can be sent again from this page. `next` is the path to open after signing in. */
function VerificationSent({ email, ticket, next }: SignedUp & { next: string }) {
  const { callRoute } = useApp();
  const modals = useModals();
  const toast = useToast();
  const { isBusy, run } = useBusy();

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', { ticket, ...roomOf(next) });
    if (answer.ok) toast(accountWords.verificationResent);
    // The ticket is used up or expired, so the server does not know the address.
    else if (answer.error.code === 'auth/required') await modals.ok(accountWords.signUpAgain);
    else await modals.ok(resendFailed(answer.error));
  }

  return (
    <MailSent title={accountWords.verificationSent} lead={verificationLead.sent} email={email}>
      <ButtonGroup>
        <ButtonLink href={loginPath(next)} variant="primary" block>
          {accountWords.goToLogin}
        </ButtonLink>
        <Button block busy={isBusy} onClick={() => run(resend)}>
          {accountWords.resendShort}
        </Button>
      </ButtonGroup>
    </MailSent>
  );
}

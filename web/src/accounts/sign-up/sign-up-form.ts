/** What is typed to sign up, what is wrong with it, and the request. For the form on one page and for the steps. */
import { addressIn, bare, type Refusal } from '@tunemate/protocol';
import { useCallback, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { deviceClock } from '../../store/clock.ts';
import { useBusy } from '../../store/use-busy.ts';
import { accountWords } from '../account-words.ts';
import { emailProblem, nameProblem, newPasswordProblem } from '../form-rules.ts';
import { roomOf } from '../sign-in/next-room.ts';
import type { SignedUp } from './signed-up.ts';

export const fieldOrder = ['name', 'email', 'password'] as const;
type Field = (typeof fieldOrder)[number];
type Typed = Readonly<Record<Field, string>>;
type Problems = { readonly [Each in Field]?: string | undefined };

const problemOf: Record<Field, (typed: string) => string | undefined> = {
  name: (typed) => sentence(nameProblem(typed)),
  email: (typed) => sentence(emailProblem(typed)),
  password: (typed) => sentence(newPasswordProblem(typed)),
};
const sentence = (problem: keyof typeof accountWords | null): string | undefined =>
  problem === null ? undefined : String(accountWords[problem]);

export interface SignUpPurpose {
  /** Of the invitation link that the page was opened with; null for none. */
  invitation: string | null;
  /** The path to open after signing in. */
  next: string;
  onSignedUp: (signedUp: SignedUp) => void;
}

export type SignUpForm = ReturnType<typeof useSignUpForm>;

export function useSignUpForm({ invitation, next, onSignedUp }: SignUpPurpose) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const [typed, setTyped] = useState<Typed>({ name: '', email: '', password: '' });
  const [problems, setProblems] = useState<Problems>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const fields = useRef(new Map<Field, HTMLInputElement | null>());
  const focus = useCallback((field: Field) => fields.current.get(field)?.focus(), []);

  function checkAll(those: readonly Field[]): boolean {
    const found = Object.fromEntries(those.map((field) => [field, problemOf[field](typed[field])])) as Problems;
    setProblems({ ...problems, ...found });
    setRefusal(null);
    const first = those.find((field) => found[field] !== undefined);
    if (first !== undefined) focus(first);
    return first === undefined;
  }

  return {
    isBusy,
    refusal,
    email: typed.email,
    focus,
    /** False, with its problem shown, when the field is not valid. */
    check: (field: Field) => checkAll([field]),
    submit(): void {
      if (!checkAll(fieldOrder)) return;
      run(async () => {
        const answer = await callRoute('POST /api/accounts/sign-up', {
          ...typed,
          ...(invitation !== null && { invitation }),
          ...roomOf(next),
        });
        if (answer.ok) {
          const { ticket, number, mail } = answer.value;
          const email = addressIn(bare(typed.email));
          onSignedUp({ email, name: typed.name, at: deviceClock.now(), ticket, number, ...(mail && { mail }) });
        } else setRefusal(answer.error);
      });
    },
    wiring: (field: Field) => ({
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
    }),
  };
}

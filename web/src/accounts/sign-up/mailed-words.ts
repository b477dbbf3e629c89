/** Texts of the page of a mailed link before and after its press. */
import type { Instead } from '../../words/errors.ts';
import { linkWords } from '../account-words.ts';
import { t } from '../../language/t.ts';

/** The question, and what is said when it can't be done. */
export interface RejectionWords {
  question: string;
  consequence: string;
  action: string;
  failed: string;
  instead?: Instead;
}

export const mailedWords = {
  title: t`Is this your account?`,
  onlyIfYours: t`Go on only if you signed up yourself, just now.`,
  number: (number: number) => t`Your number is ${String(number)}. The page where you signed up shows the same one.`,
  endSignUp: (name: string): RejectionWords => ({
    question: t`End the sign-up of ${name}?`,
    consequence: t`Somebody signed up with your email. They can’t go on then.`,
    action: t`End`,
    failed: t`The sign-up was not ended`,
  }),
  deleteAccount: (name: string): RejectionWords => ({
    question: linkWords.rejectQuestion(name),
    consequence: linkWords.rejectConsequence,
    action: linkWords.rejectAction,
    failed: linkWords.rejectFailed,
    instead: { 'auth/code-invalid': linkWords.rejectTooLate },
  }),
  goesOn: t`The page where you signed up goes on by itself. To go on here, type your password.`,
  password: t`Password`,
} as const;

export const rejectedWords = {
  'sign-up': { title: t`Sign-up ended`, lead: t`Nobody can go on with it. You can sign up yourself.` },
  account: { title: linkWords.rejectedTitle, lead: linkWords.rejectedLead },
} as const;

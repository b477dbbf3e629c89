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
  number: (number: number) => t`Your number is ${String(number)}. The page where you signed up shows the same one.`,
  endSignUp: (name: string): RejectionWords => ({
    question: t`End the sign-up of ${name}?`,
    consequence: t`Somebody signed up with your email. They can’t go on then.`,
    action: t`End`,
    failed: t`The sign-up was not ended`,
  }),
  deleteAccount: (name: string): RejectionWords => ({
    question: t`Delete the account of ${name}?`,
    consequence: linkWords.rejectConsequence,
    action: t`Delete`,
    failed: t`The account was not deleted`,
    instead: { 'auth/code-invalid': linkWords.rejectTooLate },
  }),
  goesOn: t`The page where you signed up goes on by itself. To go on here, type your password.`,
} as const;

export const rejectedWords = {
  'sign-up': { title: t`Sign-up ended`, lead: t`Nobody can go on with it. You can sign up yourself.` },
  account: { title: t`Account deleted`, lead: linkWords.rejectedLead },
} as const;

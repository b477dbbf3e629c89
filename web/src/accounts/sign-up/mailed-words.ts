/** Texts of the page of a mailed link before and after its press. */
import type { Instead } from '../../words/errors.ts';
import { linkWords } from '../account-words.ts';

/** The question, and what is said when it can't be done. */
export interface RejectionWords {
  question: string;
  consequence: string;
  action: string;
  failed: string;
  instead?: Instead;
}

export const mailedWords = {
  title: 'Is this your account?',
  onlyIfYours: 'Go on only if you signed up yourself, just now.',
  number: (number: number) => `The page where you signed up shows the number ${String(number)}, as this one does.`,
  endSignUp: (name: string): RejectionWords => ({
    question: `End the sign-up of ${name}?`,
    consequence: 'Somebody signed up with your email. They can’t go on then.',
    action: 'End',
    failed: 'The sign-up was not ended',
  }),
  deleteAccount: (name: string): RejectionWords => ({
    question: linkWords.rejectQuestion(name),
    consequence: linkWords.rejectConsequence,
    action: linkWords.rejectAction,
    failed: linkWords.rejectFailed,
    instead: { 'auth/code-invalid': linkWords.rejectTooLate },
  }),
  goesOn: 'The page where you signed up goes on by itself. To go on here, type your password.',
  password: 'Password',
} as const;

export const rejectedWords = {
  'sign-up': { title: 'Sign-up ended', lead: 'Nobody can go on with it. You can sign up yourself.' },
  account: { title: linkWords.rejectedTitle, lead: linkWords.rejectedLead },
} as const;

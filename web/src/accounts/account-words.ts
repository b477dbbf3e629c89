/** Texts of signing up, signing in and the e-mail links. */
import type { Refusal } from '@tunemate/protocol';
import { sentenceOf, sentences, tryAgainIn, type Instead } from '../words/errors.ts';
import { around, gap, t } from '../language/t.ts';
import { signInWords } from './sign-in/sign-in-words.ts';

export const accountWords = {
  ...signInWords,
  name: t`Name`,
  createYourAccount: t`Create your account`,
  resendShort: t`Resend`,
  backToLogin: t`Back to Login`,
  goToLogin: t`Go to Login`,
  verificationSent: t`Verification Email Sent!`,
  verificationResent: t`Verification email resent!`,
  emailUnfit: t`This does not look like an email address.`,
  nameMissing: t`Please enter your name.`,
  nameTooLong: t`A name has at most 50 characters.`,
  nameReserved: t`Tunemate itself goes by this name. Choose another.`,
  nameUnfit: t`This name holds characters that cannot be shown.`,
  passwordHint: t`At least 8 characters; 15 or more are better.`,
  passwordTooShort: t`A password has at least 8 characters.`,
  passwordTooLong: t`A password has at most 128 characters.`,
} as const;

export const resetWords = {
  title: t`Reset your password`,
  /** The address is put between the two halves. */
  sentLead: around(t`If ${gap} has an account, a link to choose a new password is on its way.`),
  newTitle: t`Choose a new password`,
} as const;

export const linkWords = {
  verifiedTitle: t`Email verified`,
  /** To what the person signed up for. */
  goOn: t`Go on`,
  notMine: t`This wasn't me`,
  rejectConsequence: t`Somebody signed up with your email. Deleting the account locks them out and frees your email.`,
  rejectTooLate: t`The time for this is over. Choose a new password under "Forgot password?" and they are locked out.`,
  rejectedLead: t`Nobody can sign in with your email until you sign up yourself.`,
  failedLead: t`There was an error verifying your email. The link may have expired or already been used.`,
  unknownLead: t`This link does not name anything Tunemate can do. Open the newest email we sent you.`,
} as const;

/** The address is put between the two halves. */
export const verificationLead = {
  required: around(t`Open the link we sent to ${gap}, then sign in again.`),
  sent: around(t`We sent a link to ${gap}. Open it to finish.`),
} as const;

/** In place of the form, where not all may sign up. */
export const signUpHere = {
  closed: t`Nobody can sign up here now. Ask the person who runs this server.`,
  invite: t`Signing up here needs an invitation link. Ask the person who runs this server for one.`,
} as const;

const signUpReasons: Instead = {
  'auth/password-weak': t`This password is easy to guess. Choose another.`,
  'input/invalid': t`Check your name, email and password.`,
};

/** 'Signup failed: ' and the reason. */
export const signUpFailed = (refusal: Refusal): string => t`Signup failed: ${reasonOf(refusal)}`;

/** The rate limit counts sign-ups per network, so a user may reach it with the first attempt. */
function reasonOf(refusal: Refusal): string {
  if (refusal.code !== 'limit/too-many' || refusal.retryAfterMs === undefined) {
    return sentenceOf(refusal, signUpReasons);
  }
  return t`Many people have signed up from this network. ${tryAgainIn(refusal.retryAfterMs)}`;
}

/** 'Failed to resend verification email: ' and the reason. */
export const resendFailed = (refusal: Refusal): string =>
  refusal.code === 'auth/already-verified' ? sentences[refusal.code] : failedToResend(refusal);

function failedToResend(refusal: Refusal): string {
  const reason = sentenceOf(refusal, { 'auth/required': t`Please log in again` });
  return t`Failed to resend verification email: ${reason}`;
}

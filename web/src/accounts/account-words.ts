/** Texts of signing up, signing in and the e-mail links. */
import type { Refusal } from '@tunemate/protocol';
import { sentenceOf, sentences, tryAgainIn, type Instead } from '../words/errors.ts';
import { around, gap, t } from '../language/t.ts';
import { signInWords } from './sign-in/sign-in-words.ts';

export const accountWords = {
  ...signInWords,
  name: t`Name`,
  createYourAccount: t`Create your account`,
  haveAccount: t`Already have an account?`,
  verificationRequired: t`Email Verification Required`,
  resend: t`Resend Verification Email`,
  resendShort: t`Resend`,
  backToLogin: t`Back to Login`,
  goToLogin: t`Go to Login`,
  verificationSent: t`Verification Email Sent!`,
  verificationResent: t`Verification email resent!`,
  signUpAgain: t`Please sign up again to receive a verification email.`,
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
  lead: t`Tell us your email and we send you a link.`,
  send: t`Send Reset Link`,
  sentTitle: t`Check your email`,
  /** The address is put between the two halves. */
  sentLead: around(t`If ${gap} has an account, a link to choose a new password is on its way.`),
  newTitle: t`Choose a new password`,
  newPassword: t`New password`,
  save: t`Save Password`,
  savedTitle: t`Password changed`,
  savedLead: t`You can sign in now.`,
  failedTitle: t`Reset Failed`,
  failedLead: t`This link may have expired or already been used.`,
  askAgain: t`Get a New Link`,
} as const;

export const linkWords = {
  verifyTitle: t`Verify your email`,
  verifyLead: t`Press the button to finish signing up.`,
  verify: t`Verify Email`,
  verifying: t`Verifying your email...`,
  verifiedTitle: t`Email verified`,
  verifiedLead: (name: string) => t`You can sign in now, as ${name}.`,
  signedInLead: (name: string) => t`You are signed in as ${name}.`,
  goHome: t`Go to Home`,
  /** To what the person signed up for. */
  goOn: t`Go on`,
  notMine: t`This wasn't me`,
  rejectQuestion: (name: string) => t`Delete the account of ${name}?`,
  rejectConsequence: t`Somebody signed up with your email. Deleting the account locks them out and frees your email.`,
  rejectAction: t`Delete`,
  rejectFailed: t`The account was not deleted`,
  rejectTooLate: t`The time for this is over. Choose a new password under "Forgot password?" and they are locked out.`,
  rejectedTitle: t`Account deleted`,
  rejectedLead: t`Nobody can sign in with your email until you sign up yourself.`,
  failedTitle: t`Verification Failed`,
  failedLead: t`There was an error verifying your email. The link may have expired or already been used.`,
  unreachableTitle: t`Can't reach the server`,
  notYetTitle: t`Not verified yet`,
  tryAgain: t`Try Again`,
  unknownTitle: t`Link Not Recognized`,
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

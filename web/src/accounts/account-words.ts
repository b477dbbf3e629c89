/** Texts of signing up, signing in and the e-mail links. */
import type { Refusal } from '@tunemate/protocol';
import { sentenceOf, sentences, tryAgainIn, type Instead } from '../words/errors.ts';

export const accountWords = {
  tagLine: ['Same song.', 'Same second.'],
  email: 'Email',
  password: 'Password',
  name: 'Name',
  signIn: 'Sign In',
  createAccount: 'Create Account',
  forgotPassword: 'Forgot password?',
  welcomeBack: 'Welcome back',
  createYourAccount: 'Create your account',
  haveAccount: 'Already have an account?',
  loginFailed: 'Invalid credentials',
  loginSuccessful: 'Login successful!',
  verificationRequired: 'Email Verification Required',
  resend: 'Resend Verification Email',
  resendShort: 'Resend',
  backToLogin: 'Back to Login',
  goToLogin: 'Go to Login',
  verificationSent: 'Verification Email Sent!',
  verificationResent: 'Verification email resent!',
  signUpAgain: 'Please sign up again to receive a verification email.',
  emailMissing: 'Please enter your email.',
  emailUnfit: 'This does not look like an email address.',
  passwordMissing: 'Please enter your password.',
  nameMissing: 'Please enter your name.',
  nameTooLong: 'A name has at most 50 characters.',
  nameReserved: 'Tunemate itself goes by this name. Choose another.',
  nameUnfit: 'This name holds characters that cannot be shown.',
  passwordHint: 'At least 8 characters; 15 or more are better.',
  passwordTooShort: 'A password has at least 8 characters.',
  passwordTooLong: 'A password has at most 128 characters.',
} as const;

export const resetWords = {
  title: 'Reset your password',
  lead: 'Tell us your email and we send you a link.',
  send: 'Send Reset Link',
  sentTitle: 'Check your email',
  /** The address is put between the two halves. */
  sentLead: ['If ', ' has an account, a link to choose a new password is on its way.'],
  newTitle: 'Choose a new password',
  newPassword: 'New password',
  save: 'Save Password',
  savedTitle: 'Password changed',
  savedLead: 'You can sign in now.',
  failedTitle: 'Reset Failed',
  failedLead: 'This link may have expired or already been used.',
  askAgain: 'Get a New Link',
} as const;

export const linkWords = {
  verifyTitle: 'Verify your email',
  verifyLead: 'Press the button to finish signing up.',
  verify: 'Verify Email',
  verifying: 'Verifying your email...',
  verifiedTitle: 'Email verified',
  verifiedLead: (name: string) => `You can sign in now, as ${name}.`,
  signedInLead: (name: string) => `You are signed in as ${name}.`,
  goHome: 'Go to Home',
  /** To what the person signed up for. */
  goOn: 'Go on',
  notMine: "This wasn't me",
  rejectQuestion: (name: string) => `Delete the account of ${name}?`,
  rejectConsequence: 'Somebody signed up with your email. Deleting the account locks them out and frees your email.',
  rejectAction: 'Delete',
  rejectFailed: 'The account was not deleted',
  rejectTooLate: 'The time for this is over. Choose a new password under "Forgot password?" and they are locked out.',
  rejectedTitle: 'Account deleted',
  rejectedLead: 'Nobody can sign in with your email until you sign up yourself.',
  failedTitle: 'Verification Failed',
  failedLead: 'There was an error verifying your email. The link may have expired or already been used.',
  unreachableTitle: "Can't reach the server",
  notYetTitle: 'Not verified yet',
  tryAgain: 'Try Again',
  unknownTitle: 'Link Not Recognized',
  unknownLead: 'This link does not name anything Tunemate can do. Open the newest email we sent you.',
} as const;

/** Where the e-mails are when no mail server is configured. */
export const outboxHint = (path: string): string => `No mail server is set up here. The email was saved in ${path}`;

/** The address is put between the two halves. */
export const verificationLead = {
  required: ['Open the link we sent to ', ', then sign in again.'],
  sent: ['We sent a link to ', '. Open it to finish.'],
} as const;

/** In place of the form, where not everybody may sign up. */
export const signUpHere = {
  closed: 'Nobody can sign up here now. Ask the person who runs this server.',
  invite: 'Signing up here needs an invitation link. Ask the person who runs this server for one.',
} as const;

const signUpReasons: Instead = {
  'auth/password-weak': 'This password is easy to guess. Choose another.',
  'input/invalid': 'Check your name, email and password.',
};

/** 'Signup failed: ' and the reason. */
export const signUpFailed = (refusal: Refusal): string => `Signup failed: ${reasonOf(refusal)}`;

/** The rate limit counts sign-ups per network, so a user may reach it with the first attempt. */
function reasonOf(refusal: Refusal): string {
  if (refusal.code !== 'limit/too-many' || refusal.retryAfterMs === undefined) {
    return sentenceOf(refusal, signUpReasons);
  }
  return `Many people have signed up from this network. ${tryAgainIn(refusal.retryAfterMs)}`;
}

/** 'Failed to resend verification email: ' and the reason. */
export const resendFailed = (refusal: Refusal): string =>
  refusal.code === 'auth/already-verified' ? sentences[refusal.code] : failedToResend(refusal);

const failedToResend = (refusal: Refusal): string =>
  `Failed to resend verification email: ${sentenceOf(refusal, { 'auth/required': 'Please log in again' })}`;

/** The `accountWords` of the form to sign in. Apart from the rest, because the sign-in page shows no more at first. */
import { t } from '../../language/t.ts';

export const signInWords = {
  tagLine: [t`Same song.`, t`Same second.`],
  email: t`Email`,
  password: t`Password`,
  signIn: t`Sign In`,
  createAccount: t`Create Account`,
  loginFailed: t`Invalid credentials`,
  emailMissing: t`Please enter your email.`,
  passwordMissing: t`Please enter your password.`,
} as const;

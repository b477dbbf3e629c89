/** The address that an account is named by. */
import { EmailField } from '../../ui/fields/EmailField.tsx';
import { signInWords } from './sign-in-words.ts';

export interface EmailProps {
  email: string;
  onEmail: (email: string) => void;
}

export function UsernameField({ email, onEmail, error }: EmailProps & { error: string | undefined }) {
  return (
    <EmailField
      label={signInWords.email}
      name="email"
      autoComplete="username"
      required
      value={email}
      onChange={(event) => onEmail(event.target.value)}
      error={error}
    />
  );
}

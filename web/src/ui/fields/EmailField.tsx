/** A TextField for an e-mail address: with the matching keyboard, and without autocorrection. */
import { TextField, type TextFieldProps } from './TextField.tsx';

/** `autoComplete` says whose address it is: 'username' to sign in by, 'email' for a new one. */
export function EmailField(props: TextFieldProps & { autoComplete: 'username' | 'email' }) {
  return <TextField type="email" autoCapitalize="none" spellCheck={false} {...props} />;
}

/** A TextField for an e-mail address: with the matching keyboard, and without autocorrection. */
import { TextField, type TextFieldProps } from './TextField.tsx';

/** `autoComplete`: 'username' for signing in, 'email' for a new address. */
export function EmailField(props: TextFieldProps & { autoComplete: 'username' | 'email' }) {
  return <TextField type="email" autoCapitalize="none" spellCheck={false} {...props} />;
}

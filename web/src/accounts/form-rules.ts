/**
 * Checks that a form makes before the server does: empty fields and limits. The server checks again and decides.
 * A problem is a key of `accountWords`.
 */
import { isBlank, isFitForName, limits, readAddress } from '@tunemate/protocol';

type NameProblem = 'nameMissing' | 'nameTooLong' | 'nameUnfit';
type EmailProblem = 'emailMissing' | 'emailUnfit';
type NewPasswordProblem = 'passwordMissing' | 'passwordTooShort' | 'passwordTooLong';

/** Null when the field is valid. */
export function nameProblem(name: string): NameProblem | null {
  if (isBlank(name)) return 'nameMissing';
  if (Array.from(name.trim()).length > limits.nameLength) return 'nameTooLong';
  return isFitForName(name.trim()) ? null : 'nameUnfit';
}

/** Only the form of the address: whether it exists is known after an e-mail was sent. */
export function emailProblem(email: string): EmailProblem | null {
  const address = email.trim();
  if (address === '') return 'emailMissing';
  return readAddress(address) === null || address.length > limits.emailLength ? 'emailUnfit' : null;
}

export function newPasswordProblem(password: string): NewPasswordProblem | null {
  if (password === '') return 'passwordMissing';
  const length = Array.from(password).length;
  if (length < limits.passwordMinLength) return 'passwordTooShort';
  return length > limits.passwordMaxLength ? 'passwordTooLong' : null;
}

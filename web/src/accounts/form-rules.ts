/**
 * Checks that a form makes before the server does: empty fields and limits. The server checks again and decides.
 * A problem is a key of `accountWords`.
 */
import { bare, cleanName, isFitForLine, isReservedName, limits, readAddress } from '@tunemate/protocol';

type NameProblem = 'nameMissing' | 'nameTooLong' | 'nameUnfit' | 'nameReserved';
type EmailProblem = 'emailMissing' | 'emailUnfit';
type NewPasswordProblem = 'passwordMissing' | 'passwordTooShort' | 'passwordTooLong';

/** Null when the field is valid. */
export function nameProblem(name: string): NameProblem | null {
  const stored = cleanName(name);
  if (stored === '') return 'nameMissing';
  if (Array.from(stored).length > limits.nameLength) return 'nameTooLong';
  if (isReservedName(stored)) return 'nameReserved';
  return isFitForLine(stored) ? null : 'nameUnfit';
}

/** Only the form of the address: whether it exists is known after an e-mail was sent. */
export function emailProblem(email: string): EmailProblem | null {
  const address = bare(email);
  if (address === '') return 'emailMissing';
  return readAddress(address) === null || address.length > limits.emailLength ? 'emailUnfit' : null;
}

export function newPasswordProblem(password: string): NewPasswordProblem | null {
  if (password === '') return 'passwordMissing';
  const length = Array.from(password).length;
  if (length < limits.passwordMinLength) return 'passwordTooShort';
  return length > limits.passwordMaxLength ? 'passwordTooLong' : null;
}

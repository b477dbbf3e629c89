/**
 * What a form can tell before the server does: fields left empty and limits. The server checks again and has the last
 * word. Knows no wording; a problem is named by its code.
 */
import { isBlank, limits } from '@tunemate/protocol';

export type NameProblem = 'nameMissing' | 'nameTooLong' | 'nameUnfit';
export type EmailProblem = 'emailMissing' | 'emailUnfit';
export type NewPasswordProblem = 'passwordMissing' | 'passwordTooShort' | 'passwordTooLong';

// Control characters, line breaks, and what turns the direction of writing.
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Null when there is nothing to object to. */
export function nameProblem(name: string): NameProblem | null {
  if (isBlank(name)) return 'nameMissing';
  if (Array.from(name.trim()).length > limits.nameLength) return 'nameTooLong';
  return controls.test(name.trim()) || !name.isWellFormed() ? 'nameUnfit' : null;
}

/** One @ with something on both sides; whether it can be reached only a mail can tell. */
export function emailProblem(email: string): EmailProblem | null {
  const address = email.trim();
  if (address === '') return 'emailMissing';
  const isPlausible = /^[^\s@]+@[^\s@]+$/u.test(address) && address.length <= limits.emailLength;
  return isPlausible ? null : 'emailUnfit';
}

export function newPasswordProblem(password: string): NewPasswordProblem | null {
  if (password === '') return 'passwordMissing';
  const length = Array.from(password).length;
  if (length < limits.passwordMinLength) return 'passwordTooShort';
  return length > limits.passwordMaxLength ? 'passwordTooLong' : null;
}

/**
 * What a form can tell before the server does: fields left empty and limits. The server checks again and has the last
 * word. Knows no wording; a problem is named by its code.
 */
import { isBlank, isFitForName, limits, readAddress } from '@tunemate/protocol';

export type NameProblem = 'nameMissing' | 'nameTooLong' | 'nameUnfit';
export type EmailProblem = 'emailMissing' | 'emailUnfit';
export type NewPasswordProblem = 'passwordMissing' | 'passwordTooShort' | 'passwordTooLong';

/** Null when there is nothing to object to. */
export function nameProblem(name: string): NameProblem | null {
  if (isBlank(name)) return 'nameMissing';
  if (Array.from(name.trim()).length > limits.nameLength) return 'nameTooLong';
  return isFitForName(name.trim()) ? null : 'nameUnfit';
}

/** Whether it can be reached only a mail can tell. */
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

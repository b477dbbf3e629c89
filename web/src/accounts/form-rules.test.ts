import { expect, test } from 'vitest';
import { emailProblem, nameProblem, newPasswordProblem } from './form-rules.ts';

test('missing or too long fields are reported before a request is sent', () => {
  expect(nameProblem(' \u200b ')).toBe('nameMissing');
  expect(nameProblem('é'.repeat(50))).toBeNull();
  expect(nameProblem('😀'.repeat(51))).toBe('nameTooLong');
  expect(nameProblem('a\u0007b')).toBe('nameUnfit');
  expect([nameProblem('a\u202eb'), nameProblem('Tun\u200bemate')]).toEqual([null, 'nameReserved']);
  expect(emailProblem(' ')).toBe('emailMissing');
  expect(emailProblem('mara@')).toBe('emailUnfit');
  expect(emailProblem(' \u2068mara@lindqvist.fm\u2069 ')).toBeNull();
  expect(newPasswordProblem('')).toBe('passwordMissing');
  expect(newPasswordProblem('1234567')).toBe('passwordTooShort');
  expect(newPasswordProblem('😀'.repeat(8))).toBeNull();
  expect(newPasswordProblem('x'.repeat(129))).toBe('passwordTooLong');
});

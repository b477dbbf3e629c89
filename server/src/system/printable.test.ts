import { expect, test } from 'vitest';
import { asError, asWord, errorLines } from './printable.ts';

test.each([
  [
    'an error as the engine writes it',
    'boom',
    'Error: boom\n    at a (b.ts:1)\n    at c',
    ['Error: boom', '    at a (b.ts:1)', '    at c'],
  ],
  ['a message of two lines', 'one\ntwo', 'Error: one\ntwo\n    at a', ['Error: "one\\ntwo"', '    at a']],
  ['a message with a command for the terminal', 'a\u001b[2J', 'Error: a\u001b[2J', ['Error: "a\\u001b[2J"']],
  ['a line that no engine wrote', 'boom', 'Error: boom\nforged\n    at a', ['"Error: boom\\nforged\\n    at a"']],
  ['a line before the error', 'boom', 'forged\nError: boom\n    at a', ['"forged\\nError: boom\\n    at a"']],
  ['a stack of another message', 'boom', 'Error: other\n    at a', ['"Error: other\\n    at a"']],
  ['an error without a stack', 'boom', undefined, ['boom']],
  ['a call with a hidden character', 'boom', 'Error: boom\n    at a\u202e', ['Error: boom', '    at a\\u202e']],
])('%s stays readable and forges no line', (_, message, stack, lines) => {
  expect(errorLines(stack === undefined ? { message } : { message, stack })).toEqual(lines);
});

test('a value that could be read as several words is quoted', () => {
  expect(['plain', 'two words', 'a"b', 'a\\b', 'a\u00a0b', ''].map(asWord)).toEqual([
    'plain',
    '"two words"',
    '"a\\"b"',
    '"a\\\\b"',
    '"a\\u00a0b"',
    '""',
  ]);
});

test('what was thrown and is no error is shown as it reads', () => {
  const error = new TypeError('x is not a function');
  expect([asError('out of reach'), asError(7), asError(undefined)].map(({ message }) => message)).toEqual([
    ...['out of reach', '7', 'undefined'],
  ]);
  expect(errorLines(asError(error))).toEqual(errorLines(error));
  expect(errorLines(asError('two\nlines'))).toEqual(['"two\\nlines"']);
});

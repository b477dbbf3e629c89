import { expect, test } from 'vitest';
import { looseNames } from './whole-files.mjs';

const one = (path, text) => [{ path, text }];

test('a file of the server is named, and a folder made, in one place only', () => {
  const text = `await rename(a, b);\nmkdirSync(c);\n// rename(d)`;
  expect(looseNames(one('server/src/mail/outbox-transport.ts', text))).toEqual([
    expect.stringMatching(/^server\/src\/mail\/outbox-transport\.ts:1: rename\( /),
    expect.stringMatching(/:2: mkdirSync\( /),
  ]);
  expect(looseNames(one('server/src/system/whole-files.ts', text))).toEqual([]);
  expect(looseNames(one('server/src/mail/outbox.test.ts', text))).toEqual([]);
  expect(looseNames(one('testkit/src/services/temp-dir.ts', text))).toEqual([]);
});

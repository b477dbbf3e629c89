import { describe, expect, test } from 'vitest';
import { unusedMembers } from './unused-members.mjs';

const limitsFile = {
  path: 'protocol/src/wire/limits.ts',
  text: `export const limits = {\n  nameLength: 50,\n  pageSize: 10,\n};`,
};
const errorsFile = {
  path: 'protocol/src/wire/errors.ts',
  text: `export const errorCodes = [\n  'room/full',\n  'input/invalid', // a comment\n];`,
};
const configFile = {
  path: 'server/src/config.ts',
  text: `export interface Config {\n  port: number;\n  redisUrl: string | null;\n}`,
};
const uses = {
  path: 'server/src/main.ts',
  text: `limits.nameLength; limits.pageSize; refuse('room/full'); refuse('input/invalid'); config.port; config.redisUrl;`,
};
const tables = [limitsFile, errorsFile, configFile];
const without = (word, more = []) =>
  unusedMembers([...tables, { ...uses, text: uses.text.replace(word, '') }, ...more]);

describe('limits, error codes and settings', () => {
  test('are fine when product code uses each of them', () => {
    expect(unusedMembers([...tables, uses])).toEqual([]);
  });

  test.each([
    ['limits.pageSize', 'limit pageSize'],
    [`'room/full'`, 'error code room/full'],
    ['config.redisUrl', 'setting redisUrl'],
  ])('are reported when %s is gone', (word, named) => {
    expect(without(word)).toEqual([expect.stringContaining(named)]);
  });

  test('are not in use because a test, a comment or a table of sentences names them', () => {
    const mentions = [
      { path: 'server/src/main.test.ts', text: `limits.pageSize` },
      { path: 'web/testing/room-fixtures.ts', text: `limits.pageSize` },
      { path: 'server/src/app/app.ts', text: `// limits.pageSize` },
    ];
    expect(without('limits.pageSize', mentions)).toHaveLength(1);
    const sentences = [{ path: 'web/src/words/errors.ts', text: `const s = { 'room/full': 'Full.' };` }];
    expect(without(`'room/full'`, sentences)).toHaveLength(1);
  });

  test('are reported as lost when their table has moved', () => {
    expect(unusedMembers([uses])).toHaveLength(3);
  });
});

import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { inShort, withoutPaths } from './logged.ts';

const here = import.meta.dirname;

describe('what a server logged, in short', () => {
  test('has level, event, message and code, and neither stack nor time', () => {
    const err = {
      type: 'Error',
      message: 'read ECONNRESET',
      code: 'ECONNRESET',
      stack: `Error\n    at ${here}/a.ts:1`,
    };
    const line = JSON.stringify({ level: 50, time: 1, err, msg: 'mail.failed' });
    expect(inShort(line)).toBe('error: mail.failed: read ECONNRESET: ECONNRESET');
  });

  test.each([
    [`open '${tmpdir()}/faults-1/tunemate.sqlite'`, "open 'tunemate.sqlite'"],
    [`at ${here}/judge.ts:3:1`, 'at judge.ts:3:1'],
    ['GET /api/accounts/export on /media/a', 'GET /api/accounts/export on /media/a'],
  ])('has no folder of the machine: %s', (text, logged) => {
    expect(withoutPaths(text)).toBe(logged);
    expect(inShort(text)).toBe(logged);
    expect(inShort(JSON.stringify({ level: 50, msg: 'a.b', err: { message: text } }))).toBe(`error: a.b: ${logged}`);
  });
});

import { describe, expect, test } from 'vitest';
import { brokenPointers } from './pointers.mjs';

const spec = '- **ROOM-9** A room ends.\n- **SYNC-V2** A guest follows.';
const planted = (path, text) => brokenPointers([{ path, text }], spec);

describe('pointers', () => {
  test.each([
    ['server/src/a.ts', '/** The document (spec §3). */'],
    ['server/src/a.ts', '// as the specification says'],
    ['server/src/a.ts', "// the spec's table"],
    ['server/src/a.ts', '/** The host may come back (D14). */'],
    ['server/src/a.ts', '// the idle clock of D14'],
    ['server/src/a.ts', '/** Applied once (access R16). */'],
    ['server/src/a.ts', '// which bucket of access.md'],
    ['server/src/a.ts', '// who may (access matrix, row 36)'],
    ['server/src/a.ts', '// a goal of playback.md'],
    ['server/src/a.ts', '// found in issue 9'],
    ['server/src/a.test.ts', "test('ends a room (B17, R15)', f)"],
    ['server/src/a.test.ts', "test('ends a room (F25)', f)"],
    ['web/src/a.module.css', '/* the ink of D3 */'],
    ['docs/a.md', 'As decided (D20).'],
    ['bench/results/a.md', '- Error: read ECONNRESET\\n    at /work/main/node_modules/pg-pool/index.js:45:11'],
    ['bench/results/a.md', 'in file:///tmp/measured/a.ts'],
    ['bench/results/a.md', "no space left, open '/home/ann/tunemate/data'"],
    ['docs/a.md', String.raw`kept in C:\Users\ann`],
  ])('out of the repository are found in %s: %s', (path, text) => {
    expect(planted(path, text)).toEqual([expect.stringMatching(/:1: .*points outside the repository/)]);
  });

  test.each([
    ['server/src/a.ts', '// ends (ROOM-10)'],
    ['docs/a.md', 'A room ends (ROOM-9, ROOM-10).'],
  ])('to a rule that is not there are found in %s: %s', (path, text) => {
    expect(planted(path, text)).toEqual([expect.stringContaining('ROOM-10 (no SPEC.md has such a rule)')]);
  });

  test('to a command that is not there are found', () => {
    expect(planted('docs/a.md', 'Run `npm run tests`.')).toEqual([
      expect.stringContaining('npm run tests (package.json has no such command)'),
    ]);
  });

  test.each([
    ['server/src/a.ts', '/** A room ends (ROOM-9), and a guest follows (SYNC-V2). */'],
    ['server/src/a.ts', '// RFC 9110 §14 and UTF-8'],
    ['server/src/a.ts', '// rows of docs/access.md, decisions of docs/decisions, e2e/youtube.spec.ts'],
    ['server/src/a.ts', "const ink = '#B66'; play('D4'); press(F2);"],
    ['web/src/a.module.css', '.a { color: #B66; }'],
    ['docs/a.md', 'DATA_DIR=/var/lib/tunemate, /metrics, https://example.org/home/a, ./tmp/a and $HOME/tmp/a'],
    ['server/src/a.ts', "const folder = '/tmp/a';"],
    ['docs/a.md', 'Run `npm run -s backup`, `npm run bench -- sync` or `npm test`.'],
    ['docs/a.md', 'See [SPEC.md](../SPEC.md) and [access](./access.md).'],
  ])('inside it are fine in %s: %s', (path, text) => {
    expect(planted(path, text)).toEqual([]);
  });
});

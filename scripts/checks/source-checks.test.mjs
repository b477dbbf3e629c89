import { describe, expect, test } from 'vitest';
import { impureCalls } from './purity.mjs';
import { kindComparisons } from './room-kinds.mjs';
import { oversized } from './sizes.mjs';
import { leftovers } from './words.mjs';

const one = (path, text) => [{ path, text }];

describe('room kinds', () => {
  test.each([
    `if (kind === 'audio') {}`,
    `return room.kind !== "video" ? a : b`,
    `'audio' === room.kind`,
    `if (roomKind == 'video') {}`,
    `switch (kind) { case 'audio': return 1 }`,
  ])('are compared nowhere: %s', (text) => {
    expect(kindComparisons(one('web/src/rooms/seats.ts', text))).toHaveLength(1);
  });

  test.each([
    ['domain/src/rooms/room-kinds.ts', `if (kind === 'audio') {}`],
    ['server/src/catalogue/library.ts', `if (item.kind === 'audio') {}`],
    ['web/src/rooms/seats.ts', `if (item.mediaKind === 'audio') {}`],
    ['web/src/rooms/seats.ts', `const copy = sentences[kind]`],
    ['web/src/rooms/seats.test.ts', `if (kind === 'audio') {}`],
  ])('may be told apart in %s: %s', (path, text) => {
    expect(kindComparisons(one(path, text))).toEqual([]);
  });
});

describe('pure workspaces', () => {
  test('ask no clock and no dice, though their comments may speak of them', () => {
    expect(
      impureCalls(one('domain/src/rooms/code.ts', `const a = Date.now();\nconst b = Math.random();`)),
    ).toHaveLength(2);
    expect(impureCalls(one('domain/src/rooms/code.ts', `// not Date.now()\n/** nor \`performance.now()\` */`))).toEqual(
      [],
    );
    expect(impureCalls(one('server/src/system/system-clock.ts', 'Date.now()'))).toEqual([]);
  });
});

describe('sizes', () => {
  test('are limited to 300 lines of code and 500 of tests', () => {
    expect(oversized(one('web/src/a.ts', '\n'.repeat(301)))).toHaveLength(1);
    expect(oversized(one('web/src/a.ts', '\n'.repeat(300)))).toEqual([]);
    expect(oversized(one('web/src/a.test.ts', '\n'.repeat(500)))).toEqual([]);
    expect(oversized(one('e2e/rooms.spec.ts', '\n'.repeat(501)))).toHaveLength(1);
  });
});

describe('leftovers', () => {
  test('are found with their line', () => {
    const text = `\n// TODO: later\nit.only('x', f)\n// @ts-ignore`;
    expect(leftovers(one('web/src/a.test.ts', text)).map((line) => line.split(':')[1])).toEqual(['2', '3', '4']);
    expect(leftovers(one('web/src/a.test.ts', `it.skipIf(isWindows)('x', f)`))).toEqual([]);
  });

  test('are halves of a merge too, in documents as in code, indented or not', () => {
    const [ours, theirs] = ['<'.repeat(7), '>'.repeat(7)];
    expect(leftovers(one('CHANGELOG.md', `- one\n  ${ours} HEAD\n- two\n${theirs} 12ab\n`))).toHaveLength(2);
    expect(leftovers(one('README.md', `a ${ours} b`))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { impureCalls } from './purity.mjs';
import { kindComparisons } from './room-kinds.mjs';

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
    expect(impureCalls(one('server/src/system/machine.ts', 'Date.now()'))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
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
  ])('may be compared in %s: %s', (path, text) => {
    expect(kindComparisons(one(path, text))).toEqual([]);
  });
});

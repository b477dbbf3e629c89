import { expect, test } from 'vitest';
import { youTubeError } from './player.ts';

test.each([
  [2, 'invalid'],
  [5, 'unsupported'],
  [100, 'not-found'],
  [101, 'not-embeddable'],
  [150, 'not-embeddable'],
  [153, 'refused'],
  [999, 'unsupported'],
] as const)('YouTube error %i means %s', (code, meaning) => {
  expect(youTubeError(code)).toBe(meaning);
});

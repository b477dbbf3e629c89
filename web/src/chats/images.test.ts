import { expect, test } from 'vitest';
import { shownSize } from './images.ts';

test.each([
  [
    { width: 960, height: 480 },
    { width: 280, height: 140 },
  ],
  [
    { width: 300, height: 3200 },
    { width: 30, height: 320 },
  ],
  [
    { width: 40, height: 20 },
    { width: 40, height: 20 },
  ],
  [
    { width: 2048, height: 1 },
    { width: 280, height: 1 },
  ],
])('a picture of %o is shown whole, in its shape and never enlarged', (picture, shown) => {
  expect(shownSize(picture)).toEqual(shown);
});

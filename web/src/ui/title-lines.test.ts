import { expect, test } from 'vitest';
import { titleLines } from './title-lines.ts';

test.for([
  [
    'a track of the library, whose artists stand last',
    'lib_1',
    'Night Bus – North – The Long Shot',
    'Night Bus – North',
    'The Long Shot',
  ],
  ['a video', 'dQw4w9WgXcQ', 'A song – live', 'A song – live', null],
  ['a video whose title is not known yet', 'dQw4w9WgXcQ', 'dQw4w9WgXcQ', 'A video of YouTube', 'youtu.be/dQw4w9WgXcQ'],
] as const)('%s', ([, id, title, name, artist]) => {
  expect(titleLines(id, title)).toEqual({ name, artist });
});

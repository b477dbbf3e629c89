import { expect, test } from 'vitest';
import { importCircles } from './circles.mjs';

const file = (name, imports) => ({ path: `web/src/ui/${name}.ts`, text: imports });
const straight = [
  file('a', `import { x } from './b.ts'; import { y } from './c.ts'`),
  file('b', `import { x } from './c.ts'`),
  file('c', ''),
];

test('finds no circle where several files import the same one', () => {
  expect(importCircles(straight)).toEqual([]);
});

test.each([
  [`import { x } from './a.ts'`],
  [`import type { X } from './a.ts'`],
  [`import { type X } from './a.ts'`],
  [`export type { X } from './a.ts'`],
  [`const later = () => import('./a.ts')`],
])('names a circle once, whatever closes it: %s', (closing) => {
  expect(importCircles([...straight.slice(0, 2), file('c', closing)])).toEqual([
    'web/src/ui/a.ts → web/src/ui/b.ts → web/src/ui/c.ts → web/src/ui/a.ts (a circle)',
  ]);
});

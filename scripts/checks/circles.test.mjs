import { expect, test } from 'vitest';
import { circles } from './circles.mjs';

const file = (path, text) => ({ path, text });
const leaf = file('web/src/store/cell.ts', 'export const cell = 1;');

test.each([
  ['an import of a type', `import type { App } from '../app.ts';`],
  ['a lazy import', `void import('../app.ts');`],
  ['a re-export', `export { app } from '../app.ts';`],
])('a circle that %s closes is refused, with its files', (_name, back) => {
  const app = file('web/src/app.ts', `import { start } from './shell/start.ts';`);
  const start = file('web/src/shell/start.ts', `import { cell } from '../store/cell.ts'; ${back}`);

  expect(circles([app, start, leaf])).toEqual([
    'web/src/app.ts -> web/src/shell/start.ts -> web/src/app.ts: files import each other in a circle',
  ]);
});

test('two files may import the same third one', () => {
  const app = file('web/src/app.ts', `import './shell/start.ts'; import './store/cell.ts';`);
  expect(circles([app, file('web/src/shell/start.ts', `import '../store/cell.ts';`), leaf])).toEqual([]);
});

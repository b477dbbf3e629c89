import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { inUse, refuseUnused } from './react-in-use.ts';

const folder = createRequire(import.meta.url)
  .resolve('react-dom/package.json')
  .replace('package.json', 'cjs');
const react = readFileSync(`${folder}/react-dom-client.production.js`, 'utf8');

/** What becomes of code that stands before all of React. */
function becomes(code: string): string {
  const whole = inUse(`${code};0;${react}`);
  return whole.slice(0, whole.indexOf(';0;'));
}

describe('React without what no page uses', () => {
  test('is code that can be read, and shorter before the bundler drops anything', () => {
    const shortened = inUse(react);
    expect(parseSync('react.js', shortened).errors).toEqual([]);
    expect(shortened.length).toBeLessThan(react.length * 0.98);
  });

  test('loses the cases of unused kinds, and keeps what a used one runs into', () => {
    expect(becomes('switch (fiber.tag) { case 31: a(); break; case 5: case 27: b(); break; case 26: c(); }')).toBe(
      'switch (fiber.tag) {  case 5: b(); break;  }',
    );
    // The first falls into the second, which is unused by itself.
    expect(becomes('switch (fiber.tag) { case 5: a(); case 26: b(); case 6: c(); }')).toBe(
      'switch (fiber.tag) { case 5: a(); b(); case 6: c(); }',
    );
    expect(becomes('function f() { switch (fiber.tag) { case 30: var a = 1; break; case 5: a = 2; } }')).toBe(
      'function f() {var a; switch (fiber.tag) {  case 5: a = 2; } }',
    );
    // Numbers that are no kinds.
    expect(becomes('switch (key) { case 27: a(); }')).toBe('switch (key) { case 27: a(); }');
  });

  test('reads fixed answers, and leaves alone what has only the name', () => {
    expect(becomes('if (27 === fiber.tag || 26 !== nodeTag || 27 === key) a()')).toBe(
      'if (false || true || 27 === key) a()',
    );
    expect(becomes('isHydrating = b.dehydrated, c.isHydrating = { isHydrating: isHydrating }')).toBe(
      'isHydrating = null, c.isHydrating = { isHydrating: false }',
    );
    expect(becomes('function f(isHydrating) { return popHydrationState(isHydrating) }')).toBe(
      'function f(isHydrating) { return false }',
    );
  });

  test('is refused in a version that these lists do not fit', () => {
    expect(() => inUse(react.replaceAll('popHydrationState', 'popHydration'))).toThrow('no popHydrationState');
    expect(() => inUse(react.replaceAll('"19.', '"20.'))).toThrow('20.');
  });

  test('does not reach code that uses what is left out', () => {
    for (const text of [
      "import { Suspense, Activity } from 'react';",
      "import {\n  useOptimistic,\n} from 'react';",
      "import { hydrateRoot } from 'react-dom/client';",
      'const head = <title>{name}</title>;',
      'const own = <my-clock />;',
      'const field = <input onSelect={mark} />;',
    ])
      expect(() => refuseUnused('Screen.tsx', text), text).toThrow('leaves this out');
    expect(() => refuseUnused('Screen.tsx', "import { useState } from 'react';\nconst a = <b />;")).not.toThrow();
  });
});

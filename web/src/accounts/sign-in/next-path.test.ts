import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loginPath, safeNext } from './next-path.ts';

test.each([
  ['/tunemate/7F3A9C', '/tunemate/7F3A9C'],
  ['/join?code=7F3A9C', '/join?code=7F3A9C'],
  [null, '/'],
  ['', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example/', '/'],
  ['/.//evil.example', '/'],
  ['/..//evil.example/', '/'],
  ['/%2e//evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/tunemate/7F3A9C#chat', '/tunemate/7F3A9C'],
  ['javascript:alert(1)', '/'],
  ['/login?next=/login', '/'],
  ['/signup', '/'],
])('after signing in, next=%j opens %s', (next, path) => {
  expect(safeNext(next)).toBe(path);
});

test('no next ever leads to another site, or to an address that begins with two slashes', () => {
  const site = 'https://tunemate.example';
  const piece = fc.oneof(
    fc.constantFrom('/', '//', '\\', '.', '..', '%2e', '%2f', '@', ':', '?', '#', '\t', '\n', ' ', 'evil.example'),
    fc.string({ maxLength: 4 }),
  );
  const next = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
  fc.assert(
    fc.property(next, (typed) => {
      const path = safeNext(typed);
      expect(path).toMatch(/^\/(?![/\\])/);
      expect(new URL(path, site).origin).toBe(site);
      expect(safeNext(path)).toBe(path);
    }),
    { numRuns: 2000 },
  );
});

test('signing in returns to the page that required it', () => {
  expect(loginPath('/audio-room/7F3A9C')).toBe('/login?next=%2Faudio-room%2F7F3A9C');
  expect(loginPath('/')).toBe('/login');
});

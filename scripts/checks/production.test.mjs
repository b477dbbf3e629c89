import { expect, test } from 'vitest';
import { productionPackages, productionProblems } from './production.mjs';

const locked = {
  '': { workspaces: ['server', 'domain', 'web'] },
  server: { dependencies: { '@ours/domain': '1', fast: '1' }, devDependencies: { types: '1' } },
  domain: { dependencies: { zod: '1' } },
  web: { dependencies: { react: '1' } },
  'node_modules/@ours/domain': { resolved: 'domain', link: true },
  'node_modules/fast': { dependencies: { deep: '1' }, optionalDependencies: { 'fast-mac': '1', 'fast-linux': '1' } },
  'node_modules/fast-mac': { os: ['darwin'], dependencies: { 'mac-only': '1' } },
  'node_modules/fast-linux': { os: ['linux'], cpu: ['x64'] },
  'node_modules/mac-only': {},
  'node_modules/deep': { peerDependencies: { fast: '1', absent: '1' } },
  'node_modules/fast/node_modules/deep': {},
  'node_modules/react': {},
  'node_modules/types': {},
  'node_modules/zod': {},
};

test('finds what the server needs on one machine, its own copies first', () => {
  const expected = ['zod', 'fast', 'fast/node_modules/deep', 'fast-linux'].map((name) => `node_modules/${name}`);
  expect(productionPackages(locked)).toEqual(expected);
});

test('says when there are more than the limit', () => {
  expect(productionProblems(locked, 4)).toEqual([]);
  expect(productionProblems(locked, 3)).toEqual([expect.stringContaining('4 packages, the limit is 3')]);
});

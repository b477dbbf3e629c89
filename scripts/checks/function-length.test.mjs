import { describe, expect, test } from 'vitest';
import { longFunctions } from './function-length.mjs';

/** A function of this many lines, written in one of the ways there are. */
const lines = (count) => '\n'.repeat(count - 1);
const planted = (text, path = 'web/src/a.ts') => longFunctions([{ path, text }]);

describe('function lengths', () => {
  test.each([
    ['work', (body) => `export function work() {${body}}`],
    ['work', (body) => `const work = async () => {${body}};`],
    ['work', (body) => `const work: Work = () => {${body}};`],
    ['work', (body) => `const work = function () {${body}};`],
    ['work', (body) => `class A { work() {${body}} }`],
    ['#work', (body) => `class A { #work = () => {${body}}; }`],
    ['work', (body) => `const a = { work: () => {${body}} };`],
    ['a function', (body) => `start(() => {${body}});`],
  ])('of more than 80 lines are found: %s', (name, write) => {
    expect(planted(write(lines(80)))).toEqual([]);
    expect(planted(write(lines(81)))).toEqual([`web/src/a.ts:1: ${name} has 81 lines, the limit is 80`]);
  });

  test('do not matter in tests, whose outermost function is the suite', () => {
    expect(planted(`describe('a', () => {${lines(200)}});`, 'web/src/a.test.ts')).toEqual([]);
  });
});

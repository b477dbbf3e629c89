import { describe, expect, test } from 'vitest';
import { longFunctions } from './function-length.mjs';

/** A function of this many lines, written in one of the ways there are. */
const lines = (count) => '\n'.repeat(count - 1);
const planted = (text, allowed = {}, path = 'web/src/a.ts') => longFunctions([{ path, text }], allowed);

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
    expect(planted(`describe('a', () => {${lines(200)}});`, {}, 'web/src/a.test.ts')).toEqual([]);
  });

  test('on the list may keep their length, but not grow', () => {
    const allowed = { 'web/src/a.ts#work': 100 };
    expect(planted(`function work() {${lines(100)}}`, allowed)).toEqual([]);
    expect(planted(`function work() {${lines(101)}}`, allowed)).toHaveLength(1);
    expect(planted(`function other() {${lines(100)}} function work() {${lines(100)}}`, allowed)).toHaveLength(1);
  });

  test('are taken off the list once they are short', () => {
    expect(planted('', { 'web/src/a.ts#work': 100 })).toEqual([
      'web/src/a.ts#work is no longer too long: take it off the list in function-length.mjs',
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { avatarInitial, avatarInk, inksOf } from './inks.ts';

describe('avatarInk', () => {
  test('gives an id the same ink for ever', () => {
    expect(['mara', 'theo', 'ada'].map(avatarInk)).toEqual(['lilac', 'marigold', 'celadon']);
  });

  test('uses all eight inks about equally', () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 8000; index += 1) {
      const ink = avatarInk(`person-${index}`);
      counts.set(ink, (counts.get(ink) ?? 0) + 1);
    }
    expect(counts.size).toBe(8);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe('inksOf', () => {
  test('eight people of one room have eight inks, and the first keeps the own one', () => {
    const ids = Array.from({ length: 8 }, (_, index) => `person-${index}`);
    const inks = inksOf(ids);
    expect(new Set(inks.values()).size).toBe(8);
    expect(inks.get('person-0')).toBe(avatarInk('person-0'));
    expect(inksOf(ids)).toEqual(inks);
  });

  test('a ninth person has the own ink again', () => {
    const ids = Array.from({ length: 9 }, (_, index) => `person-${index}`);
    expect(inksOf(ids).get('person-8')).toBe(avatarInk('person-8'));
  });
});

describe('avatarInitial', () => {
  test.each([
    ['Mara Lindqvist', 'M'],
    ['  élodie', 'É'],
    ['“quoted”', 'Q'],
    ['7 inches', '7'],
    ['李娜', '李'],
    ['🎧', '·'],
    ['', '·'],
  ])('of %j is %j', (name, initial) => {
    expect(avatarInitial(name)).toBe(initial);
  });
});

import { describe, expect, test } from 'vitest';
import { avatarInitial, avatarInk } from './inks.ts';

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

import { expect, test } from 'vitest';
import {
  isOwnDevice,
  keyIntent,
  keyTarget,
  mayRepeat,
  type KeyIntent,
  type KeyPress,
  type KeyUse,
} from './key-intents.ts';

const plain = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, repeat: false };
const of = (key: string, more: Partial<KeyPress> = {}, focus: KeyUse = 'none') =>
  keyIntent({ key, ...plain, ...more }, focus);

test('each key has its meaning, letters in either case', () => {
  const meanings: [string[], KeyIntent][] = [
    [[' ', 'k', 'K'], { type: 'toggle' }],
    [['ArrowLeft'], { type: 'skip', seconds: -5 }],
    [['ArrowRight'], { type: 'skip', seconds: 5 }],
    [['j'], { type: 'skip', seconds: -10 }],
    [['l'], { type: 'skip', seconds: 10 }],
    [['ArrowUp'], { type: 'volume', step: 0.05 }],
    [['ArrowDown'], { type: 'volume', step: -0.05 }],
    [['m'], { type: 'mute' }],
    [['f'], { type: 'full-screen' }],
    [['n'], { type: 'next' }],
    [['p'], { type: 'previous' }],
    [['?'], { type: 'help' }],
    [['1'], { type: 'tenth', tenths: 1 }],
    [['9'], { type: 'tenth', tenths: 9 }],
  ];
  for (const [keys, intent] of meanings) for (const key of keys) expect(of(key), key).toEqual(intent);
  for (const key of ['0', 'a', 'Enter', 'Escape', 'Tab', 'F1', 'Home']) expect(of(key), key).toBeNull();
});

test('a jump goes to a tenth of the length and a skip stays within the track', () => {
  const at = (positionSeconds: number, durationSeconds: number | null = 120, isLive = false) => ({
    positionSeconds,
    durationSeconds,
    isLive,
  });
  const skip = (seconds: number): KeyIntent => ({ type: 'skip', seconds });
  expect(keyTarget({ type: 'tenth', tenths: 3 }, at(5))).toBe(36);
  expect(keyTarget({ type: 'tenth', tenths: 3 }, at(5, null))).toBeNull();
  expect(keyTarget(skip(-10), at(4))).toBe(0);
  expect(keyTarget(skip(10), at(115))).toBe(120);
  expect(keyTarget(skip(10), at(115, null))).toBe(125);
  expect(keyTarget(skip(10), at(115, null, true))).toBeNull();
  expect(keyTarget({ type: 'mute' }, at(5))).toBeNull();
});

test('guests have only the keys that affect their own device', () => {
  const guestKeys = ['ArrowUp', 'ArrowDown', 'm', 'f', '?'];
  const hosts = [' ', 'k', 'ArrowLeft', 'ArrowRight', 'j', 'l', 'n', 'p', '1', '9'];
  for (const key of guestKeys) expect(isOwnDevice(of(key) as KeyIntent), key).toBe(true);
  for (const key of hosts) expect(isOwnDevice(of(key) as KeyIntent), key).toBe(false);
});

test('a modifier disables a key, except Shift for a digit or ?', () => {
  for (const modifier of ['ctrlKey', 'altKey', 'metaKey', 'shiftKey'] as const)
    for (const key of ['k', 'ArrowLeft', ' ']) expect(of(key, { [modifier]: true }), `${modifier} ${key}`).toBeNull();
  expect(of('1', { ctrlKey: true })).toBeNull();
  expect(of('1', { shiftKey: true })).toEqual({ type: 'tenth', tenths: 1 });
  expect(of('?', { shiftKey: true })).toEqual({ type: 'help' });
});

test('a focused control keeps the keys that it uses', () => {
  expect(of('k', {}, 'typing')).toBeNull();
  expect(of(' ', {}, 'press')).toBeNull();
  expect(of('k', {}, 'press')).toEqual({ type: 'toggle' });
  expect(of('ArrowUp', {}, 'arrows')).toBeNull();
  expect(of(' ', {}, 'arrows')).toEqual({ type: 'toggle' });
  expect(of('ArrowDown', {}, 'scroll')).toBeNull();
  expect(of(' ', {}, 'scroll')).toBeNull();
});

test('only skips and the volume repeat while their key is held down', () => {
  expect(['k', 'm', 'f', 'n', '?', '5'].map((key) => mayRepeat(of(key) as KeyIntent))).not.toContain(true);
  expect(['ArrowUp', 'j'].map((key) => mayRepeat(of(key) as KeyIntent))).not.toContain(false);
});

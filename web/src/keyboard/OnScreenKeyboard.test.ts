import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import {
  afterLetter,
  afterShift,
  eraseBackwards,
  insertText,
  panels,
  type Shift,
  shifted,
} from './OnScreenKeyboard.tsx';
import { createKeyboardChoice } from '../messages/WritingField.tsx';

/** A text field with the behaviour that keys need. */
function aField(value: string, selectionStart = value.length, selectionEnd = selectionStart) {
  const field = {
    value,
    selectionStart,
    selectionEnd,
    heard: 0,
    setRangeText(text: string, start = 0, end = 0) {
      field.value = field.value.slice(0, start) + text + field.value.slice(end);
      field.selectionStart = field.selectionEnd = start + text.length;
    },
    dispatchEvent: () => (field.heard += 1) > 0,
  };
  return field;
}

describe('keys of the page', () => {
  test('a key types at the caret or replaces the selection, and the field fires an input event', () => {
    const field = aField('hello', 1, 4);
    insertText(field, 'u');
    expect(field).toMatchObject({ value: 'huo', selectionStart: 2, heard: 1 });
  });

  test.each([
    ['ab', 2, 2, 'a'],
    ['a👩‍👩‍👧', 9, 9, 'a'],
    ['abcd', 1, 3, 'ad'],
    ['ab', 0, 0, 'ab'],
  ])('backspace takes one character, or the selection (%s)', (value, start, end, left) => {
    const field = aField(value, start, end);
    eraseBackwards(field);
    expect(field.value).toBe(left);
  });

  test('shift applies to one letter, then is locked, then off', () => {
    const presses: Shift[] = ['off'];
    for (let press = 0; press < 3; press += 1) presses.push(afterShift(presses.at(-1) ?? 'off'));
    expect(presses).toEqual(['off', 'once', 'locked', 'off']);
    expect([afterLetter('once'), afterLetter('locked'), shifted('q', 'locked')]).toEqual(['off', 'locked', 'Q']);
  });

  test('every panel has keys to go back, delete, send and switch to the device’s keyboard', () => {
    for (const rows of Object.values(panels)) {
      const actions = rows.flat().flatMap((key) => (key.type === 'act' ? [key.action] : []));
      expect(actions).toEqual(expect.arrayContaining(['backspace', 'enter', 'device', 'emoji']));
    }
  });

  test('the choice of keyboard is remembered on the device', () => {
    const storage = memoryStorage();
    createKeyboardChoice(storage).set('device');
    expect(createKeyboardChoice(storage).get()).toBe('device');
  });
});

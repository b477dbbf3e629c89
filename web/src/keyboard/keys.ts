/** The keys of the on-screen keyboard: their layouts, the shift key, and how they type into a text field. Pure. */

import { t } from '../language/t.ts';

export type Panel = 'letters' | 'numbers' | 'symbols' | 'emoji';

export type KeyAction = 'shift' | 'backspace' | 'enter' | 'device' | Panel;

/** A key that types its character, or a key with an action. */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'act'; readonly action: KeyAction };

const action = (name: KeyAction): Key => ({ type: 'act', action: name });
const written = (text: string): readonly Key[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => ({ type: 'text', text: segment }));
const space: Key = { type: 'text', text: ' ' };
const base = (other: Panel, extra: Key = { type: 'text', text: '.' }): readonly Key[] => [
  action(other),
  action('emoji'),
  action('device'),
  space,
  extra,
  action('enter'),
];

/** Rows from the top; the last one has the same width in all panels, so that its keys keep their places. */
export const panels: Record<Panel, readonly (readonly Key[])[]> = {
  letters: [
    written('qwertyuiop'),
    written('asdfghjkl'),
    [action('shift'), ...written('zxcvbnm'), action('backspace')],
    base('numbers'),
  ],
  numbers: [
    written('1234567890'),
    written('-/:;()$&@"'),
    [action('symbols'), ...written(".,?!'…–"), action('backspace')],
    base('letters'),
  ],
  symbols: [
    written('[]{}#%^*+='),
    written('_\\|~<>€£¥•'),
    [action('numbers'), ...written(".,?!'°§"), action('backspace')],
    base('letters'),
  ],
  emoji: [
    written('😀😂🥹😍😎🤔😴🥳'),
    written('👏🙌🙏💃🕺🎉❤️💔'),
    written('🔥✨🎵🎶🎧🎤🎸🎹'),
    written('🥁🎷🎺🎻🪩📻💿🌙'),
    base('letters', action('backspace')),
  ],
};

/** The accessible names of keys with an action; each begins with the visible label, so that voice control finds it. */
export const keyActionLabels: Record<KeyAction, string> = {
  shift: t`Shift`,
  backspace: t`Backspace`,
  enter: t`Enter`,
  device: t`Use this device’s keyboard`,
  letters: t`ABC letters`,
  numbers: t`123 numbers`,
  symbols: t`#+= symbols`,
  emoji: t`Emoji`,
};

/** On for one letter, then locked, then off again. */
export type Shift = 'off' | 'once' | 'locked';

export function afterShift(shift: Shift): Shift {
  if (shift === 'off') return 'once';
  return shift === 'once' ? 'locked' : 'off';
}

export function afterLetter(shift: Shift): Shift {
  return shift === 'once' ? 'off' : shift;
}

export function shifted(text: string, shift: Shift): string {
  return shift === 'off' ? text : text.toLocaleUpperCase();
}

type WritableField = Pick<
  HTMLTextAreaElement,
  'value' | 'selectionStart' | 'selectionEnd' | 'setRangeText' | 'dispatchEvent'
>;

/** Inserts `text` at the caret, in place of the selection. */
export function insertText(field: WritableField, text: string): void {
  const { start, end } = selectionOf(field);
  replace(field, text, start, end);
}

/** Removes the selection, else the one character before the caret, however many code units it has. */
export function eraseBackwards(field: WritableField): void {
  const { start, end } = selectionOf(field);
  if (start !== end) return replace(field, '', start, end);
  if (start === 0) return;
  const before = Array.from(new Intl.Segmenter().segment(field.value.slice(0, start))).at(-1);
  replace(field, '', before?.index ?? start - 1, start);
}

function selectionOf({ selectionStart, selectionEnd, value }: WritableField): { start: number; end: number } {
  return { start: selectionStart ?? value.length, end: selectionEnd ?? value.length };
}

function replace(field: WritableField, text: string, start: number, end: number): void {
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

export const panelLabels: Record<Panel, string> = {
  letters: t`Keyboard, letters`,
  numbers: t`Keyboard, numbers`,
  symbols: t`Keyboard, symbols`,
  emoji: t`Keyboard, emoji`,
};

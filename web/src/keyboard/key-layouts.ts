/** The four panels of the on-screen keyboard, as rows of keys. */

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
  shift: 'Shift',
  backspace: 'Backspace',
  enter: 'Enter',
  device: 'Use this device’s keyboard',
  letters: 'ABC letters',
  numbers: '123 numbers',
  symbols: '#+= symbols',
  emoji: 'Emoji',
};

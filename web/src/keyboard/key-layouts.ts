/** The four panels of the on-screen keyboard, as rows of keys. */

export type Panel = 'letters' | 'numbers' | 'symbols' | 'emoji';

export type Act = 'shift' | 'backspace' | 'enter' | 'device' | Panel;

/** A key that writes itself, or one that does something. */
export type Key = { readonly type: 'text'; readonly text: string } | { readonly type: 'act'; readonly act: Act };

const act = (name: Act): Key => ({ type: 'act', act: name });
const written = (text: string): readonly Key[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => ({ type: 'text', text: segment }));
const space: Key = { type: 'text', text: ' ' };
const base = (other: Panel, extra: Key = { type: 'text', text: '.' }): readonly Key[] => [
  act(other),
  act('emoji'),
  act('device'),
  space,
  extra,
  act('enter'),
];

/** Rows from the top; the last one is the same width everywhere, so that its keys stay under the same thumbs. */
export const panels: Record<Panel, readonly (readonly Key[])[]> = {
  letters: [
    written('qwertyuiop'),
    written('asdfghjkl'),
    [act('shift'), ...written('zxcvbnm'), act('backspace')],
    base('numbers'),
  ],
  numbers: [
    written('1234567890'),
    written('-/:;()$&@"'),
    [act('symbols'), ...written(".,?!'…–"), act('backspace')],
    base('letters'),
  ],
  symbols: [
    written('[]{}#%^*+='),
    written('_\\|~<>€£¥•'),
    [act('numbers'), ...written(".,?!'°§"), act('backspace')],
    base('letters'),
  ],
  emoji: [
    written('😀😂🥹😍😎🤔😴🥳'),
    written('👏🙌🙏💃🕺🎉❤️💔'),
    written('🔥✨🎵🎶🎧🎤🎸🎹'),
    written('🥁🎷🎺🎻🪩📻💿🌙'),
    base('letters', act('backspace')),
  ],
};

/** What each key that does something is called: first what stands on it, so that it can be pressed by voice. */
export const actWords: Record<Act, string> = {
  shift: 'Shift',
  backspace: 'Backspace',
  enter: 'Enter',
  device: 'Use this device’s keyboard',
  letters: 'ABC letters',
  numbers: '123 numbers',
  symbols: '#+= symbols',
  emoji: 'Emoji',
};

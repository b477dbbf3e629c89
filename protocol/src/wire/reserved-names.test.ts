/** Which names no person may have, because the product goes by them. */
import { expect, test } from 'vitest';
import { isReservedName } from './reserved-names.ts';

test.each([
  ...[
    'Tunemate',
    'tunemate',
    'TUNE MATE',
    'Tune-mate!',
    '@Tunemate',
    'Tune|mate',
    'Tunemat\u20ac',
    '\u{1F3B5} Tunemate \u{1F3B5}',
    'Deleted user',
    'deleted_user',
  ],
  // Letters of Lisu, Cherokee, Cyrillic and Greek, small capitals and wide letters.
  ...[
    '\ua4d4\ua4f4\ua4e0\ua4f0\ua4df\ua4ee\ua4d4\ua4f0',
    '\u13a2unem\u13aate',
    'T\u0446n\u0435m\u0430te',
    '\u03a4unemate',
    '\uff34unemate',
  ],
  // White letters in squares and circles, and the letters of flags.
  ...[
    '\u{1F183}\u{1F184}\u{1F17D}\u{1F174}\u{1F17C}\u{1F170}\u{1F183}\u{1F174}',
    '\u{1F163}unemate',
    '\u{1F1F9}\u{1F1FA}\u{1F1F3}\u{1F1EA}mate',
  ],
  ...['host', 'H0st', '\u202eHost', 'You (Host)', 'Du  (HOST)', 'System', 'المُضيف', 'होस्ट'],
  ...['Tu\u0308nema\u030cte', 'Tunernate', '7unem4te', 'D3l3ted us\u00e9r', 'Tun\u200demate'],
])('%j is the name of the product to a reader', (name) => {
  expect(isReservedName(name)).toBe(true);
});

test.each([
  'Tunemates',
  'Neptune',
  'Mate',
  'Ute',
  'Deleted',
  'User',
  'Tuna Matt',
  ...['You', 'Du', 'Tú', 'Ghost', 'Hoster', 'Sie'],
  '\u{1F1E9}\u{1F1EA}',
  'Ана',
  'Τάνια',
])('%j is the name of a person', (name) => {
  expect(isReservedName(name)).toBe(false);
});

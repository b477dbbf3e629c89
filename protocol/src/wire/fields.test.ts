/** What counts as text: every surface that takes words goes through here. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { email, knownEmail } from '../accounts.ts';
import {
  messageText,
  namedUid,
  personName,
  roomCodeInput,
  roomId,
  roomName,
  searchWords,
  trackTitle,
  uid,
  videoId,
} from './fields.ts';
import { isLibraryId } from '../library-id.ts';
import { userStream, roomStream } from './streams.ts';
import { cleanTitle, utf8Bytes } from './characters.ts';

test('what looks empty is empty: spaces, zero-width characters, fillers (TEXT-1)', () => {
  for (const blank of ['', ' ', '\n\t', '\u200b', '\u2060\ufeff', '\u3164', '\u00ad']) {
    expect([blank, messageText.safeParse(blank).success, roomName.safeParse(blank).success]).toEqual([
      blank,
      false,
      false,
    ]);
  }
});

test('a message holds 2,000 code points and comes back as it was (TEXT-2)', () => {
  const emoji = '😀'.repeat(2000);
  expect(messageText.parse(emoji)).toBe(emoji);
  expect(messageText.safeParse('a'.repeat(2001)).success).toBe(false);
  expect(messageText.safeParse('😀'.repeat(2001)).success).toBe(false);
});

test('lone surrogates, NUL and control characters are refused (TEXT-3)', () => {
  for (const bad of ['a\ud800b', 'a\u0000b', 'a\u0007b']) {
    expect([messageText.safeParse(bad).success, personName.safeParse(bad).success]).toEqual([false, false]);
    expect([bad, trackTitle.safeParse(bad).success]).toEqual([bad, false]);
  }
});

test.each([
  ['a word processor', 'milk\u000bbread'],
  ['a printed page', 'milk\u000cbread'],
  ['a mainframe', 'milk\u0085bread'],
  ['an old Mac', 'milk\rbread'],
  ['Windows', 'milk\r\nbread'],
])('the line ends of %s are line ends in a message (TEXT-2)', (_source, text) => {
  expect(messageText.parse(text)).toBe('milk\nbread');
});

test('markup is text like any other', () => {
  for (const text of ['<script>alert(1)</script>', '&#x3c;', '{{7*7}}', '<a href=javascript:x>']) {
    expect(messageText.parse(text)).toBe(text);
  }
});

test('nothing but a string is text (TEXT-5)', () => {
  for (const wrong of [1, null, {}, [], true, { toString: 'x' }, undefined]) {
    for (const schema of [messageText, personName, roomName, email, roomCodeInput, uid, videoId]) {
      expect(schema.safeParse(wrong).success).toBe(false);
    }
  }
});

test('what was accepted once is accepted again unchanged (TEXT-6)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (typed) => {
      const read = messageText.safeParse(typed);
      if (read.success) expect(messageText.parse(read.data)).toBe(read.data);
      const name = personName.safeParse(typed);
      if (name.success) expect(personName.parse(name.data)).toBe(name.data);
      const words = searchWords.safeParse(typed);
      if (words.success) expect(searchWords.parse(words.data)).toBe(words.data);
    }),
  );
});

test('an address that was accepted once is accepted again unchanged (TEXT-6)', () => {
  const character = fc.oneof(
    fc.constantFrom('@', '.', 'a', 'ß', 'ｅ', 'İ', '。', '\u0301', '-'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const word = fc.array(character, { minLength: 1, maxLength: 6 }).map((each) => each.join(''));
  fc.assert(
    fc.property(fc.tuple(word, word), ([local, domain]) => {
      for (const typed of [`${local}@${domain}.org`, `${local}${domain}`]) {
        const read = email.safeParse(typed);
        if (read.success) expect(email.parse(read.data)).toBe(read.data);
      }
    }),
    { numRuns: 3000 },
  );
});

test('white space around a name or message goes, and every line break is one character', () => {
  expect([roomName.parse('\t Night owls '), personName.parse(' Ada\n')]).toEqual(['Night owls', 'Ada']);
  expect(messageText.parse('\n one\r\ntwo\n\n')).toBe('one\ntwo');
});

test('a room name ends at 100 characters, a person’s at 50', () => {
  expect(roomName.safeParse('x'.repeat(100)).success).toBe(true);
  expect(roomName.safeParse('x'.repeat(101)).success).toBe(false);
  expect(personName.safeParse('x'.repeat(51)).success).toBe(false);
});

test('the title of a track ends at 200 characters and at 600 bytes', () => {
  for (const good of ['x'.repeat(200), '夜'.repeat(200), '😀'.repeat(150)]) {
    expect(trackTitle.safeParse(good).success).toBe(true);
  }
  for (const bad of ['x'.repeat(201), '夜'.repeat(201), '😀'.repeat(151)]) {
    expect([bad, trackTitle.safeParse(bad).success]).toEqual([bad, false]);
  }
});

test('bytes are those of UTF-8', () => {
  const encoded = (text: string) => new TextEncoder().encode(text).length;
  for (const edge of ['\u007f', '\u0080', '\u07ff', '\u0800', '\uffff', '\u{10000}', '']) {
    expect([edge, utf8Bytes(edge)]).toEqual([edge, encoded(edge)]);
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => utf8Bytes(text) === encoded(text)));
});

test('a code is upper-cased and trimmed; characters whose upper case is longer match nothing (TEXT-9)', () => {
  expect(roomCodeInput.parse(' abc123 ')).toBe('ABC123');
  expect(roomCodeInput.parse('ß')).toBe('SS');
});

test('only a YouTube id or a library id can be played (TEXT-10)', () => {
  for (const good of ['dQw4w9WgXcQ', 'lib_0123456789abcdef']) expect(videoId.safeParse(good).success).toBe(true);
  for (const bad of ['javascript:alert(1)', 'short', 'dQw4w9WgXcQQ', '../etc/pass', 'https://youtu.be/x', 'lib_0123']) {
    expect([bad, videoId.safeParse(bad).success]).toEqual([bad, false]);
  }
});

test('an id of eleven characters is a video’s, whatever it begins with (TEXT-10)', () => {
  const named = ['lib_0123456789abcdef', 'lib_0123456', 'dQw4w9WgXcQ', 'x'.repeat(20)];
  expect(named.map(isLibraryId)).toEqual([true, false, false, false]);
});

test('a malformed uid is answered like an unknown one (TEXT-5)', () => {
  const person = uid.parse('a'.repeat(22));
  expect(['a'.repeat(22), 'a'.repeat(21), '__proto__', ''].map((name) => namedUid.parse(name))).toEqual([
    person,
    null,
    null,
    null,
  ]);
  expect(namedUid.safeParse('a'.repeat(101)).success).toBe(false);
  expect([userStream(person), roomStream(roomId.parse('b'.repeat(22)))]).toEqual([
    `user:${person}`,
    `room:${'b'.repeat(22)}`,
  ]);
});

test('an address holds 254 characters, also once compatibility forms are made plain', () => {
  const sized = (length: number) => `${'a'.repeat(length - 10)}@b.example`;
  expect(
    [sized(254), sized(255), `${'\ufb03'.repeat(90)}@b.example`].map((one) => email.safeParse(one).success),
  ).toEqual([true, false, false]);
});

test('an account made under looser rules is found by its address as typed but for case and space around it', () => {
  expect(knownEmail.parse(' Jo..Do@LocalHost ')).toBe('jo..do@localhost');
  for (const bad of ['a b@c', 'a@', '@b', 'a@b@c', 'a,b@c', 'a@b>', 'a\u0000@b']) {
    expect([bad, knownEmail.safeParse(bad).success]).toEqual([bad, false]);
  }
});

test('an address has one @, no white space and no line breaks, and is compared in lower case', () => {
  expect(email.parse(' Mara@Example.Test ')).toBe('mara@example.test');
  for (const bad of ['a@b.c\r\nBcc: x@y.z', 'a b@c.d', 'a@b@c.d', '@c.d', 'a@', 'a,b@c.d']) {
    expect([bad, email.safeParse(bad).success]).toEqual([bad, false]);
  }
});

test('an address holds no comment, quote, literal or control character and no broken character (TEXT-12)', () => {
  const inside = '()[]<>"\\;:,\u009b\u0000\u001b\ud800\udfff（［';
  for (const bad of inside) {
    const forms = [`a${bad}b@example.org`, `a@exam${bad}ple.org`].map((form) => [form, email.safeParse(form).success]);
    expect(forms).toEqual(forms.map(([form]) => [form, false]));
  }
});

/** What keyboards, mail programs and web pages leave in copied text, and what makes a second name of one. */
const unseen = Array.from(
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u202e\u2060\u2063\u2066\u2068' +
    '\u2069\u206a\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff9\ufffc\u{1d173}\u{e0041}\u{e007f}\u{e0101}',
);

test('marks that cannot be seen are taken out of everything typed (TEXT-12, TEXT-15)', () => {
  for (const mark of unseen) {
    const put = (text: string) => Array.from(text).join(mark).concat(mark);
    const read = [
      email.parse(`${mark}a${mark}b@exam${mark}ple.org${mark}`),
      knownEmail.parse(`${mark}A${mark}b@localhost${mark}`),
      roomCodeInput.parse(` ${put('abc123')} `),
      personName.parse(put('Mara')),
      roomName.parse(put('Mara')),
      messageText.parse(put('Mara')),
      trackTitle.parse(put('Mara')),
      searchWords.parse(put('Mara')),
    ];
    const seen = ['ab@example.org', 'ab@localhost', 'ABC123', ...Array.from({ length: 5 }, () => 'Mara')];
    expect([mark.codePointAt(0)?.toString(16), ...read]).toEqual([mark.codePointAt(0)?.toString(16), ...seen]);
    const alone = [messageText, personName, roomName, searchWords].map((schema) => schema.safeParse(mark).success);
    expect([mark, alone]).toEqual([mark, [false, false, false, false]]);
  }
});

test('white space in a name is one space, and a blank pattern alone is no text', () => {
  expect(personName.parse('An\u00a0\u2003 na\u2800')).toBe('An na');
  for (const schema of [personName, messageText, roomName])
    expect(schema.safeParse('\u2800 \u2800').success).toBe(false);
});

test('marks that a script or an emoji needs stay (TEXT-15)', () => {
  const needed = ['می\u200cخواهم', 'ක්\u200dෂ', 'क्\u200dष', '葛\u{e0100}'];
  const emoji = [
    '👩\u200d👩\u200d👧',
    '👨🏽\u200d💻',
    '👁\ufe0f\u200d🗨\ufe0f',
    '1\ufe0f\u20e3',
    '❤\ufe0f',
    '🏳\ufe0f\u200d🌈',
  ];
  const flags = ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'];
  for (const name of [...needed, ...emoji, ...flags]) {
    expect([personName.parse(`${name} x`), messageText.parse(name)]).toEqual([`${name} x`, name]);
  }
  // A mark of direction changes where the full stop of a right-to-left text stands.
  expect(messageText.parse('שלום.\u200f')).toBe('שלום.\u200f');
  // The same marks where nothing needs them.
  for (const [typed, seen] of [
    ['م\u200c', 'م'],
    ['د\u200cا', 'دا'],
    ['🎤\u200d', '🎤'],
    ['😀\ufe0f', '😀'],
    ['1\ufe0f', '1'],
    ['🏴\u{e0061}\u{e007f}', '🏴'],
  ] as const) {
    expect([typed, personName.parse(`${typed} x`)]).toEqual([typed, `${seen} x`]);
  }
});

test('no person has a name that the product goes by, in any spelling that looks like it (TEXT-16)', () => {
  for (const taken of [
    ...['Tunemate', 'TUNEMATE', ' tune  mate ', 'T.u.n.e.m.a.t.e', 'Tun\u200bemate', 'Tünemáte', 'ｔｕｎｅｍａｔｅ'],
    ...['Тunеmаtе', 'Τunemate', 'Tunernate', 'Tun3m4te', '𝐓𝐮𝐧𝐞𝐦𝐚𝐭𝐞', 'Deleted user', 'DeIeted  User', 'De1eted user'],
  ]) {
    expect([taken, personName.safeParse(taken).success]).toEqual([taken, false]);
  }
  for (const free of ['Tuna Mate', 'Tunemates', 'June', 'Nate', 'Мария', 'Ελένη']) {
    expect([free, personName.safeParse(free).success]).toEqual([free, true]);
  }
  expect(roomName.safeParse('Tunemate').success).toBe(true);
});

test('the domain of an address has two labels or more and is no number (TEXT-13)', () => {
  for (const good of [
    'a@b.c',
    'a@1.2.c',
    'a@b.c1',
    'a@b.1c',
    'jörg@müller.example',
    '用户@例え.jp',
    "o'neil+x@a-b.example",
  ]) {
    expect([good, email.safeParse(good).success]).toEqual([good, true]);
  }
  for (const bad of [
    'localhost',
    '[127.0.0.1]',
    '127.0.0.1',
    '127.0.0.12',
    '1.2',
    'b.c@d.e',
    'b..c',
    '.b.c',
    'b.c.',
    '-b.c',
    'b-.c',
    'b_c.d',
  ]) {
    expect([bad, email.safeParse(`a@${bad}`).success]).toEqual([bad, false]);
  }
});

test('full-width and other compatibility forms of an address are the plain address (TEXT-14)', () => {
  for (const form of ['ａ@ｅxample.org', 'A@EXAMPLE。ORG', 'a＠example.org', ' a@ex\u1d43mple.org']) {
    expect(email.parse(form)).toBe('a@example.org');
  }
});

test('words to search by lose what can’t be seen or stored, and are refused when nothing is left', () => {
  expect(searchWords.parse(' sea\u0000 \u202esong\n two\ud800 ')).toBe('sea song two\ufffd');
  for (const nothing of ['', ' ', '\u0000', '\u202e\t']) expect(searchWords.safeParse(nothing).success).toBe(false);
});

test('a title from elsewhere is made one that rooms accept, or replaced when nothing is left of it', () => {
  expect(cleanTitle(' Two\n lines \u202eback ', 'none')).toBe('Two lines back');
  for (const nothing of ['', ' \n', '\u200b', '\u202e']) expect(cleanTitle(nothing, 'none')).toBe('none');
  expect(cleanTitle('', null)).toBeNull();
  for (const long of ['a'.repeat(500), '字'.repeat(500), '🎵'.repeat(500), `${'字'.repeat(199)} ${'字'.repeat(9)}`]) {
    const title = cleanTitle(long, '');
    expect(trackTitle.parse(title)).toBe(title);
    expect(long.startsWith(title)).toBe(true);
    expect(Array.from(title).length === 200 || utf8Bytes(title) > 600 - 4).toBe(true);
  }
});

import { expect, test } from 'vitest';
import { knownEmail, roomCodeInput, email } from '../index.ts';
import { addressIn, roomIn } from './pasted.ts';

test.each([
  '7F3A9C',
  ' 7f3a9c ',
  '7F3 A9C',
  '7F3-A9C',
  '“7F3A9C”.',
  '#7F3A9C',
  'Room code: 7F3A9C',
  'the code is 7f3a9c, see you',
  'Join us in 7F3A9C tonight!',
  'My facade is in room 7F3A9C',
  'https://house.example/join?code=7F3A9C',
  'https://house.example/join?code=7f3a9c).',
  'Listen with me: https://house.example/join/?x=1&code=7F3A9C#top',
  'https://house.example/tunemate/7F3A9C/',
  '７Ｆ３Ａ９Ｃ',
  '7F3А9С',
  'Room code 7F3 A9C',
  'Code is: 7f3 a9c',
  'Join my room 7F3-A9C tonight, we are 12 people',
  'https://house.example/login?next=%2Fjoin%3Fcode%3D7F3A9C',
  'https%3A%2F%2Fhouse.example%2Fjoin%3Fcode%3D7F3A9C',
  'code ７ｆ３ａ９ｃ',
  'ルームコード：７Ｆ３Ａ９Ｃ',
  '٧F٣A٩C',
  'कोड ७F३A९C',
  'https：//house.example/join？code＝7F3A9C',
])('the room code is found in %j', (text) => {
  expect(roomIn(text)?.code).toBe('7F3A9C');
  expect(roomCodeInput.parse(text)).toBe('7F3A9C');
});

test.each([
  ['7F3AOC', '7F3A0C'],
  ['OO3A9C', '003A9C'],
  ['7FlA9C', '7F1A9C'],
  ['code: 7FIA9O', '7F1A90'],
])('letters that look like digits are those digits: %s', (text, code) => {
  expect(roomIn(text)?.code).toBe(code);
  expect(roomCodeInput.parse(text)).toBe(code);
});

test.each([
  ['https://house.example/join?code=7F3A9C', 'video'],
  ['https://house.example/tunemate/7F3A9C', 'video'],
  ['http://localhost:3000/join-audio-room?code=7F3A9C', 'audio'],
  ['come in: house.example/audio-room/7F3A9C', 'audio'],
  ['7F3A9C', null],
])('the link says the kind of room: %s', (text, kind) => {
  expect(roomIn(text)).toEqual({ code: '7F3A9C', kind });
});

test.each(['', 'ROOM123', 'NOSUCH', 'the facade', '7F3A9', '7F3A9C1', 'hello there', 'the bad fad', 'code of conduct'])(
  '%j holds no room code',
  (text) => {
    expect(roomIn(text)).toBeNull();
    expect(roomCodeInput.parse(text)).toBe(text.trim().toUpperCase());
  },
);

test.each([
  'ann@example.org',
  'Ann <ann@example.org>',
  '"Ann B." <ann@example.org>',
  '<ann@example.org>',
  '<mailto:ann@example.org>',
  'mailto:ann@example.org',
  'mailto:ann@example.org?subject=hi',
  '(ann@example.org)',
  'ann@example.org,',
  'ann@example.org;',
  ' "ann@example.org" ',
  'E-mail: ann@example.org',
  'ann@example.org (work)',
  'mailto: ann@example.org',
  '[ann@example.org](mailto:ann@example.org)',
  'ａｎｎ＠ｅｘａｍｐｌｅ．ｏｒｇ',
  'Ann ＜ann@example。org＞',
  'メール： ann@example.org。',
])('the address is found in %j', (text) => {
  expect(addressIn(text)).toBe('ann@example.org');
  expect(email.parse(text)).toBe('ann@example.org');
  expect(knownEmail.parse(text)).toBe('ann@example.org');
});

test.each(['ann', 'ann at example.org', 'a@b@c <x>', 'ann@example.org bob@example.org', 'Ann ann@example.org'])(
  '%j stays as typed',
  (text) => {
    expect(addressIn(text)).toBe(text);
  },
);

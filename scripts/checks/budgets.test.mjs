import { expect, test } from 'vitest';
import { uncompressed, weigh } from './budgets.mjs';

const manifest = {
  'index.html': { file: 'main.js', isEntry: true, imports: ['_react.js'], css: ['main.css'] },
  '_react.js': { file: 'react.js' },
  '_deck.js': { file: 'deck.js', imports: ['_react.js'] },
  'src/accounts/LoginScreen.tsx': {
    file: 'login.js',
    src: 'src/accounts/LoginScreen.tsx',
    imports: ['_react.js'],
  },
  'src/screens/room/RoomScreen.tsx': {
    file: 'room.js',
    src: 'src/screens/room/RoomScreen.tsx',
    imports: ['_deck.js'],
    css: ['room.css'],
  },
  'src/screens/room/VisitHost.tsx': { file: 'visit.js', src: 'src/screens/room/VisitHost.tsx', imports: ['_deck.js'] },
};
const bytes = {
  'main.js': 30_000,
  'react.js': 40_000,
  'deck.js': 50_000,
  'login.js': 5_000,
  'room.js': 50_000,
  'visit.js': 1000,
  'main.css': 8_000,
  'room.css': 3_000,
};

test('adds up what a page needs before it can be used, each file once', () => {
  expect(weigh(manifest, (file) => bytes[file])).toEqual([
    { name: 'JavaScript of /login', kb: 75, limitKb: 92 },
    { name: 'JavaScript of a room', kb: 171, limitKb: 143 },
    { name: 'all CSS', kb: 11, limitKb: 23.5 },
  ]);
});

test('does not pass a page that it does not find', () => {
  const { 'src/accounts/LoginScreen.tsx': _, ...rest } = manifest;
  expect(() => weigh(rest, (file) => bytes[file])).toThrow('no chunk of its own for /login');
});

test('says which files of the build are not there compressed', () => {
  const built = ['a.js.br', 'a.js.gz', 'a.css.gz'];
  expect(uncompressed(['a.js', 'a.css', 'a.woff2'], (file) => built.includes(file))).toEqual([
    'a.css.br was not built',
  ]);
});

/**
 * Every access check of the server, and the text that takes it out: what each declared request needs, and each check
 * between a request and its handler. Each mutant names the tests that are to notice.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { inRoot } from '../toolchain/paths.mjs';

/**
 * @typedef {{ what: string, file: string, from: string, to: string, tests: readonly string[], only?: string }} Mutant
 * `only` chooses tests by their titles.
 */

/** Files of the product below a folder, as paths from the root. */
const sources = (folder) =>
  readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`)
    .sort();
const declaring = [...sources('protocol/src'), 'server/src/access/files.ts'];
const declarations = 'server/src/access/access-document.test.ts';
const rooms = ['server/src/realtime/access-matrix.test.ts'];
const people = [...rooms, 'server/src/realtime/people-matrix.test.ts', 'server/src/realtime/chat-access.test.ts'];
const routes = ['server/src/http/access-matrix.test.ts'];
export const matrices = [...people, ...routes, 'server/src/realtime/receivers.test.ts'];
const wire = [
  ...matrices,
  ...['handshake', 'bad-input', 'limits', 'delivery', 'requests', 'stopping', 'slow-reader'].map(
    (name) => `server/src/realtime/${name}.test.ts`,
  ),
];
const besideOf = (folder) => [...matrices, `server/src/${folder}/`];

const escaped = (name) => name.replaceAll(/[./:]/gu, '\\$&');

/** A weaker requirement in place of each one that this text of `file` declares. @returns {Mutant[]} */
export function needMutants(file, text) {
  const mutants = [];
  const declared = /^ {2}'(?<name>[^']+)': (?:(?:request|route)\(\{(?<body>[^]*?)\bpayload:|\{(?<row>[^}]*)\})/gmu;
  for (const { 0: from, groups } of text.matchAll(declared)) {
    for (const [requirement, weaker, tests] of weakerThan(groups.body ?? groups.row)) {
      const to = from.replace(requirement, weaker);
      const what = `\`${groups.name}\`: \`${requirement.trim()}\` → ${weaker.trim() === '' ? 'nothing' : `\`${weaker.trim()}\``}`;
      // The matrices expect what is declared; docs/access.md holds what was declared before.
      const only = `${escaped(groups.name)}|what each request takes|these answers about rooms`;
      mutants.push({ what, file, from, to, tests: [declarations, ...tests], only });
    }
  }
  return mutants;
}

/** Each requirement in the text of a declaration, what to put in its place, and the tests that notice it. */
function weakerThan(body) {
  /** @type {[string, string, string[]][]} */
  const weaker = [];
  const has = (requirement) => body.includes(requirement);
  if (has("room: 'host'"))
    weaker.push(["room: 'host'", "room: 'member'", rooms], ["room: 'host'", "room: 'anyone'", rooms]);
  for (const need of ['member', 'requester']) {
    if (has(`room: '${need}'`)) weaker.push([`room: '${need}'`, "room: 'anyone'", rooms]);
  }
  for (const need of ["person: 'known'", "chat: 'own'"]) if (has(need)) weaker.push([need, '', people]);
  if (has("session: 'verified'"))
    weaker.push(
      ["session: 'verified'", "session: 'session'", routes],
      ["session: 'verified'", "session: 'none'", routes],
    );
  if (has("session: 'session'")) weaker.push(["session: 'session'", "session: 'none'", routes]);
  const instead = /refusesWith: \{[^}]*/u.exec(body)?.[0];
  if (instead !== undefined) weaker.push([instead, 'refusesWith: {', rooms]);
  return weaker;
}

/** Where a request passes on its way to a handler, and what takes each check out that is not one line with an `if`. */
const places = [
  { file: 'server/src/realtime/requests.ts', tests: wire },
  { file: 'server/src/http/routes.ts', tests: [...routes, 'server/src/http/'] },
  { file: 'server/src/rooms/members/membership.ts', tests: matrices },
  { file: 'server/src/realtime/connection.ts', tests: wire },
  { file: 'server/src/realtime/socket-server.ts', tests: wire },
  { file: 'server/src/realtime/link.ts', tests: wire },
  { file: 'domain/src/rooms/membership.ts', tests: ['domain/src/rooms/membership.test.ts', ...rooms] },
  { file: 'server/src/app/live.ts', tests: wire },
];

/** In features only what refuses access: their other refusals are rules. */
const features = [
  'accounts',
  'catalogue',
  'chats',
  'notifications',
  'people',
  'reports',
  'rooms',
  'soulmate',
  'tunemates',
]
  .flatMap((name) => sources(`server/src/${name}`))
  .filter((file) => !places.some((place) => place.file === file));

/** @type {readonly (readonly [file: string, what: string, from: string, to: string, tests: readonly string[]])[]} */
const byHand = [
  ['server/src/realtime/requests.ts', 'a refused subject', 'subject.ok ? await handler', 'true ? await handler', wire],
  [
    'server/src/realtime/requests.ts',
    'a refusal that says less',
    'outcome.ok ? undefined :',
    'true ? undefined :',
    rooms,
  ],
  [
    'server/src/rooms/members/membership.ts',
    'what the row needs of a member',
    'return code ? refuse(code)',
    'return false ? refuse(code)',
    rooms,
  ],
  [
    ...['server/src/rooms/members/membership.ts', 'the right inside the write'],
    ...['const now = check(membership, need)', 'const now = membership ? accept(membership) : check(membership, need)'],
    besideOf('rooms'),
  ],
  [
    ...['server/src/rooms/members/membership.ts', 'the right before what is read'],
    ...[
      'const now = check(await membershipIn(record.db, clock.now()), need)',
      'const now = accept(await membershipIn(record.db, clock.now()))',
    ],
    besideOf('rooms'),
  ],
  [
    ...['server/src/rooms/members/membership.ts', 'that the code is still of the room that is locked'],
    ...['membership?.room.roomId !== roomId', 'false'],
    besideOf('rooms'),
  ],
  ['server/src/chats/messages.ts', 'that the person exists', '(await isKnown(uid))', 'true', besideOf('chats')],
  [
    'server/src/chats/messages.ts',
    'that the chat is one’s own',
    'readPairId(named, caller.uid)',
    'readPairId(named, named.split("_")[0])',
    besideOf('chats'),
  ],
  ['server/src/chats/messages.ts', 'that the chat exists', 'pair && side ?', 'pair ?', besideOf('chats')],
  [
    'server/src/tunemates/tunemates.ts',
    'that they are tunemates',
    '(await disconnect(writing, caller.uid, other)) ?',
    '(await disconnect(writing, caller.uid, other)) || true ?',
    besideOf('tunemates'),
  ],
  [
    'server/src/realtime/feed.ts',
    'that a removed person receives no more changes',
    "this.#subscribers.expel(stream, entry.expels === '*' ? null : entry.expels)",
    'undefined',
    wire,
  ],
  [
    'server/src/realtime/feed.ts',
    'that a guest who left an audience receives no more changes',
    'this.#subscribers.expel(stream, left.uid)',
    'undefined',
    besideOf('rooms'),
  ],
  [
    'server/src/rooms/lifecycle/room-endings.ts',
    'that a person who left receives no more changes',
    'left, { expels: uid }',
    'left',
    besideOf('rooms'),
  ],
  [
    'server/src/rooms/lifecycle/room-endings.ts',
    'that no member of an ended room receives more changes',
    ", { expels: 'everyone' }",
    '',
    wire,
  ],
  [
    'server/src/rooms/hosting/hand-over.ts',
    'that the previous host receives no more requests',
    ', { expels: room.host }',
    '',
    besideOf('rooms'),
  ],
  [
    'server/src/realtime/hub.ts',
    'that the connections of ended sessions close',
    'this.endSessions(change.sessionIds)',
    'undefined',
    wire,
  ],
  [
    ...['server/src/http/health.ts', 'who is the operator'],
    ...["return isOperator ? accept({}) : refuse('access/not-found')", 'return accept({})', ['server/src/http/']],
  ],
  [
    ...['server/src/status/status-page.ts', 'who may read the status page'],
    ...['const refused = await refusalOf(request, reply);', 'const refused = null;', ['server/src/status/']],
  ],
];

/** A line that refuses where a condition holds. */
const refusing = /^ *(?:\w+: )?if \((?<condition>.+)\) (?:return |throwIfRefused\(|decide).*$/gmu;
const refuses = /refuse\(|invalid\(|throwIfRefused\(|return 403|this\.end\(|countViolation|'room\/|\bauth\//u;

/**
 * Without these the answer is the same: no row has null as its uid, the own row of a chat is there, for the request's
 * subject was found by it, and an upload to nobody finds no person. They are there for the types.
 */
const sameWithout = new Set([
  "if (uid === null) return refuse('access/not-found');",
  "if (!row) return refuse('access/not-found');",
  "if (!other.success) return sendRefusal(reply, refuse('access/not-found'));",
]);

/** A line that stands in a file more than once is taken with those above it, as far as it takes to be the only one. */
function comparedParts(text, { 0: line, index }) {
  let start = index;
  let from = line;
  while (start > 0 && text.indexOf(from) !== text.lastIndexOf(from)) {
    start = text.lastIndexOf('\n', start - 2) + 1;
    from = text.slice(start, index + line.length);
  }
  const first = text.slice(start, text.indexOf('\n', start)).trim();
  return { from, what: start === index ? `\`${line.trim()}\`` : `\`${line.trim()}\` after \`${first}\`` };
}

/** @param {(path: string) => string} read the text of a file of the repository @returns {Mutant[]} */
export function checkMutants(read) {
  const lines = [
    ...places.map((place) => ({ ...place, wanted: refuses })),
    ...features.map((file) => ({ file, tests: besideOf(file.split('/')[2]), wanted: /refuse\('(?:access|room)\//u })),
  ];
  const found = lines.flatMap(({ file, tests, wanted }) => {
    const text = read(file);
    return [...text.matchAll(refusing)]
      .filter(([line]) => wanted.test(line) && !sameWithout.has(line.trim()))
      .map((hit) => {
        const { from, what } = comparedParts(text, hit);
        const to = from.replace(`if (${hit.groups.condition})`, 'if (false)');
        return { what: `${file}: ${what}`, file, from, to, tests };
      });
  });
  const chosen = byHand.map(([file, what, from, to, tests]) => ({ what: `${file}: ${what}`, file, from, to, tests }));
  return [...found, ...chosen];
}

/** @returns {Mutant[]} */
export function allMutants() {
  const read = (path) => readFileSync(inRoot(path), 'utf8');
  const all = [...declaring.flatMap((file) => needMutants(file, read(file))), ...checkMutants(read)];
  // One that is written differently by now would fail to load, and be taken for noticed.
  const lost = all.filter(({ file, from }) => read(file).split(from).length !== 2);
  if (lost.length > 0) throw new Error(`Not once in the code:\n${lost.map(({ what }) => what).join('\n')}`);
  const missing = [...new Set(all.flatMap(({ tests }) => tests))].filter((path) => !existsSync(inRoot(path)));
  if (missing.length > 0) throw new Error(`No such tests: ${missing.join(', ')}`);
  return all;
}

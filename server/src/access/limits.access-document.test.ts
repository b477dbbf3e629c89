/**
 * The sentences and tables of docs/access.md are made from the code. `npx vitest run -u --project=node access-document`
 * writes them.
 */
import {
  httpRequests,
  limits as sizes,
  weights,
  type Needs,
  roomSettings,
  type SessionNeed,
  socketRequests,
} from '@tunemate/protocol';
import { documentTable, documentWith } from '@tunemate/testkit/document-table';
import { describe, expect, test } from 'vitest';
import { accept } from '../system/ports.ts';
import { statusOf } from '../http/answers.ts';
import { bounds, type BucketName } from './bounds.ts';
import { paces } from './paces.ts';
import { type Cell, createLimits } from './limits.ts';
import { fileAccess } from './files.ts';

const table = (heading: string) => documentTable('docs/access.md', heading);
interface Declared {
  may: string;
  /** A socket is opened for verified people only, so that its requests need not say so. */
  session?: SessionNeed;
  needs?: Needs;
  limit: string;
  budget?: string;
}
const { 'rooms/set': set, ...otherRequests } = socketRequests;
/** One request sets all that the host may set of a room; each has its own sentence. */
const settings = Object.entries(roomSettings).flatMap(([name, { setBy, may }]) =>
  setBy === 'rooms/set' ? [[`rooms/set ${name}`, { ...set, may }] as const] : [],
);
const declared: Record<string, Declared> = {
  ...otherRequests,
  ...Object.fromEntries(settings),
  ...httpRequests,
  ...fileAccess,
};

/** Who may ask, in the order of the sentences of a subject. */
const subjects = [
  'Any visitor',
  'A person with a session',
  'A signed-in person',
  'An operator',
  'A person who asked to come in',
  'A member of the room',
  'The host, and a person who holds the remote,',
  'The host',
  'Either person of a chat',
] as const;

function subjectOf({ session = 'verified', needs = {} }: Declared): (typeof subjects)[number] {
  if (needs.room === 'host') return 'The host';
  if (needs.room === 'remote') return 'The host, and a person who holds the remote,';
  if (needs.room === 'member') return 'A member of the room';
  if (needs.room === 'requester') return 'A person who asked to come in';
  if (needs.chat !== undefined) return 'Either person of a chat';
  const bySession = {
    none: 'Any visitor',
    session: 'A person with a session',
    verified: 'A signed-in person',
    operator: 'An operator',
  } as const;
  return bySession[session];
}

/** The headings of the sentences, and the first words of the requests below each. */
const topics = {
  Rooms: ['rooms'],
  'What a room plays': ['playback', 'catalogue', 'library', 'media', 'beside'],
  'Saved queues': ['queues'],
  'Private chats': ['chats'],
  'Tunemates and soulmates': ['tunemates', 'soulmate', 'presence', 'music'],
  Notifications: ['notifications', 'push'],
  'Reports and listens': ['reports', 'listens'],
  'Accounts and connections': ['accounts', 'session', 'config', 'clock'],
  'Running a server': ['operator'],
};

/** The rows of the table of each topic: a sentence, its request, and the limits that count it. */
function sentencesByTopic(): Record<string, string[][]> {
  const topicOf = (name: string) => /^(?:[A-Z]+ \/(?:api\/)?)?(\w+)/.exec(name)?.[1] ?? '';
  const rows = Object.entries(declared).map(([name, row]) => {
    const subject = subjectOf(row);
    const drawn = [row.limit, row.budget].filter((each) => each !== undefined);
    return { topic: topicOf(name), subject, cells: [`${subject} may ${row.may}.`, `\`${name}\``, drawn.join(', ')] };
  });
  const known = Object.values(topics).flat();
  expect(rows.filter(({ topic }) => !known.includes(topic))).toEqual([]);
  const sorted = rows.toSorted((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject));
  return Object.fromEntries(
    Object.entries(topics).map(([heading, words]) => [
      heading,
      sorted.filter(({ topic }) => words.includes(topic)).map(({ cells }) => cells),
    ]),
  );
}

const units = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** `90000` as `1.5 min`. */
function spanOf(ms: number): string {
  const [unit, length] = units.find(([, each]) => ms >= each) ?? ['ms', 1];
  return `${String(Number((ms / length).toFixed(2)))} ${unit}`;
}

/** `5 at once, then 1 every 3 min`, `… then 20 a second`, or `30 in any 10 min`. */
function bucketInWords({ burst, everyMs, isWindow }: Cell): string {
  if (isWindow) return `${String(burst)} in any ${spanOf(everyMs)}`;
  const rest = everyMs < 1000 ? `${String(Math.round(1000 / everyMs))} a second` : `1 every ${spanOf(everyMs)}`;
  return `${String(burst)} at once, then ${rest}`;
}

/** The buckets behind a name, as they are drawn from. */
async function bucketsInWords(name: BucketName): Promise<string> {
  const words: string[] = [];
  const store = {
    draw: (cells: readonly Cell[]) => {
      words.push(...cells.map(bucketInWords));
      return Promise.resolve(0);
    },
  };
  const limits = createLimits({ clock: { now: () => 0 }, scale: 1, store });
  expect(await limits.peek(name, 'anybody')).toEqual(accept({}));
  return words.join('; ');
}

describe('docs/access.md', () => {
  test('gives the codes the status that they are sent with (ACCESS-18)', () => {
    for (const [, codes = '', status] of table('Answers')) {
      for (const code of codes.split(', ')) {
        expect([code, String(statusOf[code as keyof typeof statusOf])]).toEqual([code, status]);
      }
    }
  });

  test('says who may ask what as it is declared, and every limit and size with its number (ACCESS-18)', async () => {
    const buckets = Object.entries(bounds).map(async ([name, { of, attack }]) => [
      `\`${name}\``,
      await bucketsInWords(name as BucketName),
      of,
      attack,
    ]);
    const waits = Object.entries(paces).map(([name, { burst, perSecond, of, attack }]) => [
      `\`${name}\``,
      `${String(burst)} at once, then ${String(perSecond)} a second`,
      of,
      attack,
    ]);
    const written = new Map(table('Sizes').map(([name, , sentence]) => [name, sentence ?? '']));
    const numbers = Object.entries({ ...sizes, ...weights }).map(([name, size]) => [
      `\`${name}\``,
      String(size),
      written.get(name) ?? '',
    ]);
    // One file, so one snapshot of it.
    const text = documentWith('docs/access.md', {
      ...sentencesByTopic(),
      Limits: [...(await Promise.all(buckets)), ...waits],
      Sizes: numbers,
    });
    await expect(text).toMatchFileSnapshot('../../../docs/access.md');
    // What a size is of is written by hand.
    expect(numbers.filter(([, , sentence]) => sentence === '')).toEqual([]);
  });
});

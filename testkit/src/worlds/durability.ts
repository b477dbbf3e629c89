/**
 * People write to each other, edit, react to, delete and hide what they wrote, and arrange and clear their chat, while the
 * server is killed under them again and again; afterwards the history that every client recorded is held against the database: nothing acknowledged is
 * lost or undone, nothing is there twice, nothing is out of order, and no tick ever went back.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type PairId, pairId, type PayloadInput, type RequestName, type Uid, type Value } from '@tunemate/protocol';
import { openDatabase } from '../../../server/src/storage/database.ts';
import type { Db } from '../../../server/src/storage/schema.ts';
import { newClientId } from '../answers.ts';
import { connect, makePeople, type Member } from './crowd.ts';
import { writerTabs } from './writer-tabs.ts';
import type { Person } from './people.ts';
import { type ServerProcess, startServerProcess } from '../services/process.ts';
import { seededRandom } from '../seeded-ids.ts';
import { makeTempDir } from '../services/temp-dir.ts';

export interface DurabilityOptions {
  pairs: number;
  seconds: number;
  /** Each person goes on after that until so many of their messages are acknowledged: a busy machine writes slowly. */
  leastMessages?: number;
  sendsPerSecond: number;
  /** `kill -9` of the server at random moments. */
  kills: number;
  /** Single connections cut at random moments. */
  cuts: number;
  /** Tabs closed at random moments, mostly while a message waits in them. */
  closings: number;
  seed: number;
}

export interface DurabilityReport {
  sent: number;
  acknowledged: number;
  stored: number;
  kills: number;
  cuts: number;
  /** Tabs that were closed beside another one. */
  tabsClosed: number;
  /** Acknowledged, but not in the database. */
  lost: number;
  /** The same client id stored more than once. */
  doubled: number;
  /** Stored in another order than one person sent them, or with a hole in the numbers. */
  outOfOrder: number;
  /** Edits, reactions, deletions for both and for oneself, arrangements and clearings that were acknowledged. */
  acts: number;
  /** Messages and chats that are not as the last acknowledged act left them: one is missing, applied twice or undone. */
  actsLost: number;
  /** A mark that was shown lower than before. */
  ticksBack: number;
  /** How long each start after a kill took until the server was ready, from the start of its process on. */
  readyMs: number[];
}

const pairOf = (a: Uid, b: Uid): PairId => pairId.parse([a, b].sort().join('_'));

/** An own message as the acknowledged acts left it. */
interface OwnMessage {
  number: number;
  text: string;
  edits: number;
  emoji: string;
  isDeleted: boolean;
  /** Deleted for its sender alone. */
  isHidden: boolean;
}

/** What one person makes of their chat, one after the other. An archived chat stays so while it is muted. */
const arrangements = [
  { isMuted: true },
  { isArchived: true },
  { isArchived: false, isPinned: true },
  { isPinned: false, isMuted: false },
];

/** One person's client: writes in two tabs at a time, and acts on earlier messages, each until it is acknowledged. */
class Writer {
  readonly person: Person;
  readonly other: Person;
  readonly sent: string[] = [];
  readonly acknowledged = new Set<string>();
  readonly own: OwnMessage[] = [];
  /** The own side of the chat as the acknowledged acts left it. */
  readonly side = { isPinned: false, isMuted: false, isArchived: false, clearedUpTo: 0 };
  arranged = 0;
  acts = 0;
  ticksBack = 0;
  readonly #server: ServerProcess;
  readonly #marks = new Map<string, number>();
  readonly #tabs: ReturnType<typeof writerTabs>;
  #member: Member | null = null;

  constructor(server: ServerProcess, person: Person, other: Person) {
    this.#server = server;
    this.person = person;
    this.other = other;
    const connectTab = () => connect(server.url, person);
    this.#tabs = writerTabs({ self: person.uid, other: other.uid, connect: connectTab }, this.sent);
  }

  /** Sends every `everyMs` until `untilMs`, and then finishes what is still open. */
  async write(untilMs: number, everyMs: number, leastMessages = 0): Promise<void> {
    while (Date.now() < untilMs || this.acknowledged.size < leastMessages) {
      const startMs = Date.now();
      await this.#sendInBoth();
      await pause(Math.max(0, startMs + everyMs - Date.now()));
    }
    this.#member?.line.disconnect();
    this.#tabs.close();
  }

  /** How `hidden_from` names this person: by their place in the pair's id. */
  get ownBit(): number {
    return this.person.uid < this.other.uid ? 1 : 2;
  }

  get pairId(): PairId {
    return pairOf(this.person.uid, this.other.uid);
  }

  cut(): void {
    this.#member?.line.cut();
    this.#tabs.cut();
  }

  closeTab(): boolean {
    return this.#tabs.closeOne();
  }

  async #sendInBoth(): Promise<void> {
    const next = this.sent.length + 1;
    const written = await this.#tabs.write([`message ${String(next)}`, `message ${String(next + 1)}`]);
    for (const { clientId, number, text } of written) {
      this.acknowledged.add(clientId);
      this.own.push({ number, text, edits: 0, emoji: '', isDeleted: false, isHidden: false });
      await this.#act();
      await this.#actOnChat();
    }
  }

  /**
   * Edits every second message when the next was sent, reacts to every third later, deletes every fifth, and hides every
   * third from the sender at last.
   */
  async #act(): Promise<void> {
    const [count, clientId] = [this.own.length, newClientId()];
    const [toEdit, toReact, toDelete, toHide] = [2, 3, 4, 5].map((back) => this.own[count - back]);
    const of = ({ number }: OwnMessage) => ({ pairId: this.pairId, number });
    if (toEdit && count % 2 === 0) {
      const [text, edits] = [`${toEdit.text}, edited`, toEdit.edits + 1];
      await this.#untilAcknowledged('chats/edit', { ...of(toEdit), clientId, text, edits });
      Object.assign(toEdit, { text, edits });
      this.acts += 1;
    }
    if (toReact && count % 3 === 0) {
      await this.#untilAcknowledged('chats/react', { ...of(toReact), clientId, emoji: '🔥', isOn: true });
      toReact.emoji = '🔥';
      this.acts += 1;
    }
    if (toDelete && count % 5 === 0) {
      await this.#untilAcknowledged('chats/delete', of(toDelete));
      Object.assign(toDelete, { text: '', emoji: '', isDeleted: true });
      this.acts += 1;
    }
    if (toHide && count % 3 === 0) {
      await this.#untilAcknowledged('chats/hide', { ...of(toHide), isHidden: true });
      toHide.isHidden = true;
      this.acts += 1;
    }
  }

  /** Arranges the chat with every fourth message, and clears it, with every seventh, below what is acted on later. */
  async #actOnChat(): Promise<void> {
    const [count, pairId] = [this.own.length, this.pairId];
    const arrangement = arrangements[this.arranged % arrangements.length];
    if (arrangement && count % 4 === 0) {
      await this.#untilAcknowledged('chats/arrange', { pairId, ...arrangement });
      Object.assign(this.side, arrangement);
      this.arranged += 1;
      this.acts += 1;
    }
    const seen = this.own[count - 6];
    if (seen && count % 7 === 0) {
      await this.#untilAcknowledged('chats/clear', { pairId, upTo: seen.number });
      this.side.clearedUpTo = seen.number;
      this.acts += 1;
    }
  }

  async #untilAcknowledged<Name extends RequestName>(name: Name, payload: PayloadInput<Name>): Promise<Value<Name>> {
    for (;;) {
      try {
        const member = await this.#connected();
        return await member.ask(name, payload);
      } catch {
        await pause(250);
      }
    }
  }

  async #connected(): Promise<Member> {
    if (this.#member?.line.connected) return this.#member;
    const member = await connect(this.#server.url, this.person);
    this.#member = member;
    member.line.on('entries', ({ changes }) => {
      for (const change of changes) {
        if (change.type === 'chats/marked') this.#see(change.pairId, change.marks);
        else if (change.type === 'chats/messageSent') this.#mark(member, change.message.number);
      }
    });
    return member;
  }

  #mark(member: Member, number: number): void {
    const mark = { pairId: this.pairId, deliveredUpTo: number, readUpTo: number - 1 };
    // A mark that is lost in a kill is replaced by the next one.
    member.ask('chats/mark', mark).catch(() => undefined);
  }

  #see(pair: string, marks: { uid: string; deliveredUpTo: number; readUpTo: number }): void {
    for (const [kind, value] of [
      ['delivered', marks.deliveredUpTo],
      ['read', marks.readUpTo],
    ] as const) {
      const key = `${pair} ${marks.uid} ${kind}`;
      if (value < (this.#marks.get(key) ?? 0)) this.ticksBack += 1;
      this.#marks.set(key, value);
    }
  }
}

/** Tunemates may write without the limits of a first contact. */
export async function makeTunemates(url: string, pairs: readonly (readonly [Person, Person])[]): Promise<void> {
  const database = openDatabase(url);
  for (const [a, b] of pairs) {
    const both = [
      { uid: a.uid, mate: b.uid },
      { uid: b.uid, mate: a.uid },
    ];
    await database.db
      .insertInto('tunemates')
      .values(both.map((row) => ({ ...row, added_at_ms: 0, position: 1 })))
      .execute();
  }
  await database.close();
}

/** Runs the schedule of writes and kills, and checks the result. */
export async function runDurability(options: DurabilityOptions): Promise<DurabilityReport> {
  const data = await makeTempDir('durability');
  const url = `sqlite:${join(data.path, 'tunemate.sqlite')}`;
  const people = await makePeople(url, options.pairs * 2);
  const pairs = Array.from({ length: options.pairs }, (_, n) => [people[2 * n], people[2 * n + 1]] as [Person, Person]);
  await makeTunemates(url, pairs);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'error' } });
  try {
    const writers = pairs.flatMap(([a, b]) => [new Writer(server, a, b), new Writer(server, b, a)]);
    const untilMs = Date.now() + options.seconds * 1000;
    const everyMs = (2 * 1000 * writers.length) / options.sendsPerSecond;
    const readyMs: number[] = [];
    const [tabsClosed] = await Promise.all([
      disturb(server, writers, untilMs, options, readyMs),
      ...writers.map((writer) => writer.write(untilMs, everyMs, options.leastMessages)),
    ]);
    await server.stop();
    return { ...(await judge(url, writers, options)), tabsClosed, readyMs };
  } finally {
    await server.dispose();
    await data.remove();
  }
}

async function disturb(
  server: ServerProcess,
  writers: Writer[],
  untilMs: number,
  options: DurabilityOptions,
  readyMs: number[],
): Promise<number> {
  const random = seededRandom(options.seed);
  const spanMs = untilMs - Date.now();
  const some = <What>(count: number, what: What) =>
    Array.from({ length: count }, () => ({ atMs: untilMs - spanMs * (0.1 + 0.8 * random()), what }));
  const { kills, cuts, closings } = options;
  const moments = [...some(kills, 'kill'), ...some(cuts, 'cut'), ...some(closings, 'close a tab')];
  let tabsClosed = 0;
  for (const { atMs, what } of moments.sort((a, b) => a.atMs - b.atMs)) {
    await pause(Math.max(0, atMs - Date.now()));
    const writer = writers[Math.floor(random() * writers.length)];
    if (what === 'kill') {
      await server.kill();
      const startMs = performance.now();
      await server.restart();
      readyMs.push(performance.now() - startMs);
    } else if (what === 'cut') writer?.cut();
    else if (writer?.closeTab()) tabsClosed += 1;
  }
  return tabsClosed;
}

async function judge(
  url: string,
  writers: readonly Writer[],
  options: DurabilityOptions,
): Promise<Omit<DurabilityReport, 'readyMs' | 'tabsClosed'>> {
  const database = openDatabase(url);
  const report = {
    sent: 0,
    acknowledged: 0,
    stored: 0,
    kills: options.kills,
    cuts: options.cuts,
    lost: 0,
    doubled: 0,
    outOfOrder: 0,
    acts: 0,
    actsLost: 0,
    ticksBack: 0,
  };
  for (const writer of writers) {
    const rows = await storedBy(database.db, writer);
    const stored = rows.map((row) => row.client_id);
    report.sent += writer.sent.length;
    report.acknowledged += writer.acknowledged.size;
    report.stored += stored.length;
    report.ticksBack += writer.ticksBack;
    report.acts += writer.acts;
    report.actsLost += writer.own.filter((each) => !isAsLeft(writer, each, rows)).length;
    report.actsLost += (await isSideAsLeft(database.db, writer)) ? 0 : 1;
    const known = new Set(stored);
    report.lost += [...writer.acknowledged].filter((clientId) => !known.has(clientId)).length;
    report.doubled += stored.length - known.size;
    const expected = writer.sent.filter((clientId) => known.has(clientId));
    report.outOfOrder += stored.filter((clientId, index) => clientId !== expected[index]).length;
  }
  report.outOfOrder += await holes(database.db);
  await database.close();
  return report;
}

/** A lost clearing would bring deleted messages back. */
async function isSideAsLeft(db: Db, { person, pairId, side }: Writer): Promise<boolean> {
  const row = await db
    .selectFrom('conversations')
    .select(['is_pinned', 'is_muted', 'is_archived', 'cleared_up_to'])
    .where('uid', '=', person.uid)
    .where('pair_id', '=', pairId)
    .executeTakeFirst();
  const now = row && {
    ...{ isPinned: row.is_pinned === 1, isMuted: row.is_muted === 1, isArchived: row.is_archived === 1 },
    clearedUpTo: row.cleared_up_to,
  };
  return isDeepStrictEqual(now, side);
}

async function storedBy(db: Db, { person, pairId }: Writer) {
  return await db
    .selectFrom('private_messages as it')
    .leftJoin('private_reactions as reacted', (join) =>
      join.onRef('reacted.pair_id', '=', 'it.pair_id').onRef('reacted.number', '=', 'it.number'),
    )
    .select(['it.client_id', 'it.number', 'it.text', 'it.edits', 'it.is_deleted', 'it.hidden_from', 'reacted.emojis'])
    .where('it.pair_id', '=', pairId)
    .where('it.sender', '=', person.uid)
    .orderBy('it.number')
    .execute();
}

function isAsLeft(writer: Writer, own: OwnMessage, rows: Awaited<ReturnType<typeof storedBy>>): boolean {
  const row = rows.find(({ number }) => number === own.number);
  if (!row || row.text !== own.text || (row.is_deleted === 1) !== own.isDeleted) return false;
  if (row.hidden_from !== (own.isHidden ? writer.ownBit : 0)) return false;
  return own.isDeleted ? row.emojis === null : row.edits === own.edits && (row.emojis ?? '') === own.emoji;
}

/** Conversations whose last number is not their count of messages. */
async function holes(db: Db): Promise<number> {
  const rows = await db
    .selectFrom('private_messages')
    .select((inner) => [inner.fn.max('number').as('last'), inner.fn.countAll<number>().as('count')])
    .groupBy('pair_id')
    .execute();
  return rows.filter(({ last, count }) => last !== count).length;
}

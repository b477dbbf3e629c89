/**
 * Sends changes of a person's name and presence, and of what they hear, to the people who may see them. Every process is notified of a change and
 * sends it to its own connections, so a change costs each process the same few statements, however many people see it,
 * and who may see it is read when it is sent. The event is ephemeral: people who were not connected find the change in
 * their snapshot, and each change is sent once more a while later, in case the first event was lost.
 */
import { userStream, type EphemeralEvent, type Hearing, type StreamId, type Uid } from '@tunemate/protocol';
import { turns } from '../system/in-turns.ts';
import type { Clock, Log } from '../system/ports.ts';
import { deletedPeopleOf, peopleOf } from '../storage/people.ts';
import type { Db } from '../storage/schema.ts';
import { builtForEach, padded } from '../storage/queries.ts';
import { isAnswered } from '../storage/tables/chat-tables.ts';
import { sql } from 'kysely';
import { heardSince } from './hearing-store.ts';

/** How far back changes are looked for: more than the clocks of several processes differ. */
const lookBackMs = 60_000;
/** With 15 s between two rounds each change is sent again at least once when it is 5 s old or more. */
const sendAgainMs = 20_000;
/** People whose changes are sent together, and how many people who are told are read in one piece: it keeps others waiting. */
const [mostAtOnce, mostTold] = [200, 2000];

export interface PeopleUpdatesDeps {
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Sends to connections of this process only. */
  pass: (to: readonly StreamId[], news: EphemeralEvent) => void;
}

export function peopleUpdates({ db, clock, log, pass }: PeopleUpdatesDeps) {
  async function send(uids: readonly Uid[]): Promise<number> {
    const known = await knownBy(db, uids);
    if (known.size === 0) return 0;
    const people = await peopleOf(db, uids);
    const gone = await deletedPeopleOf(
      db,
      uids.filter((uid) => !people.has(uid)),
    );
    // Read last, so that a block set meanwhile counts: only without one presence is seen.
    const parted = await partedFrom(db, uids);
    for (const [uid, person] of [...people, ...gone]) {
      const more = gone.has(uid) ? ({ isGone: true } as const) : {};
      const apart = new Set(parted.get(uid));
      const [watchers, others] = [new Set<Uid>(), new Set<Uid>()];
      for (const [by, isShown] of known.get(uid) ?? []) (isShown && !apart.has(by) ? watchers : others).add(by);
      pass(Array.from(watchers, userStream), { type: 'people/changed', person, ...more });
      pass(Array.from(others, userStream), { type: 'people/changed', person: { ...person, presence: null }, ...more });
    }
    return [...known.values()].reduce((sum, { size }) => sum + size, 0);
  }
  return inBatches({ clock, log, send, changedSince: (sinceMs) => shownSince(db, sinceMs) });
}

interface HearingUpdatesDeps extends PeopleUpdatesDeps {
  /** What each of these people shows now, and to whom. */
  shownBy: (db: Db, uids: readonly Uid[]) => Promise<{ uid: Uid; hears: Hearing | null; to: Uid[] }[]>;
}

/** The same for what people hear, of whom only those are told who may see it. */
export function hearingUpdates({ db, clock, log, pass, shownBy }: HearingUpdatesDeps) {
  async function send(uids: readonly Uid[]): Promise<number> {
    const shown = await shownBy(db, uids);
    for (const { uid, hears, to } of shown) pass(to.map(userStream), { type: 'presence/hears', uid, hears });
    return shown.reduce((sum, { to }) => sum + to.length, 0);
  }
  return inBatches({ clock, log, send, changedSince: (sinceMs) => heardSince(db, sinceMs) });
}

interface Batches extends Pick<PeopleUpdatesDeps, 'clock' | 'log'> {
  /** Answers how many were told. */
  send: (uids: readonly Uid[]) => Promise<number>;
  /** Whose state has changed since then, and when. */
  changedSince: (sinceMs: number) => Promise<Map<Uid, number>>;
}

function inBatches({ clock, log, send, changedSince }: Batches) {
  /** The changes that the last round found, by their times. */
  let sentUpToMs = new Map<Uid, number>();
  const waiting = new Set<Uid>();
  let isSending = false;
  let sending: Promise<void> = Promise.resolve();

  /** Called when something of these people has changed. */
  function changed(uids: Iterable<Uid>): void {
    for (const uid of uids) waiting.add(uid);
    if (!isSending) sending = sendWaiting();
  }

  /** One batch after the other, so that two changes of one person are sent in order. */
  async function sendWaiting(): Promise<void> {
    isSending = true;
    const turn = turns();
    let atOnce = 1;
    while (waiting.size > 0) {
      const uids = [...waiting].slice(0, atOnce);
      for (const uid of uids) waiting.delete(uid);
      try {
        const told = await send(uids);
        // The next ones are about as well known as these.
        atOnce = Math.max(1, Math.min(mostAtOnce, 2 * uids.length, Math.floor((uids.length * mostTold) / (told + 1))));
      } catch (error) {
        log.warn({ uids, err: error }, 'people.change-not-sent');
      }
      if (waiting.size > 0) await turn.give();
    }
    isSending = false;
  }

  /** Sends changes whose notification may not have reached this process. */
  async function look(): Promise<void> {
    const changes = await changedSince(clock.now() - lookBackMs);
    changed([...changes].filter(([uid, atMs]) => (sentUpToMs.get(uid) ?? 0) < atMs).map(([uid]) => uid));
    sentUpToMs = changes;
    await sending;
  }

  /** Sends recent changes once more, for connections that were just opening or reading a snapshot. */
  async function sendAgain(): Promise<void> {
    changed((await changedSince(clock.now() - sendAgainMs)).keys());
    await sending;
  }

  return { changed, look, sendAgain };
}

/** Of names and presence. */
async function shownSince(db: Db, sinceMs: number): Promise<Map<Uid, number>> {
  const rows = await db
    .selectFrom('users')
    .select(['uid', 'shown_changed_at_ms'])
    .where('shown_changed_at_ms', '>', sinceMs)
    .execute();
  return new Map(rows.map((row) => [row.uid as Uid, row.shown_changed_at_ms]));
}

/** Called within the write that changes a name; a change of presence notes this itself. */
export async function markShownChanged(db: Db, uid: Uid, nowMs: number): Promise<void> {
  await db.updateTable('users').set({ shown_changed_at_ms: nowMs }).where('uid', '=', uid).execute();
}

// Reads who may see changes of several people at once: those whose screens show them, and the blocks in between.

/**
 * Those whose screens show each of these people: as a tunemate, as the soulmate, or in the list of chats; with whether
 * their presence is shown too, which one in a list of chats alone has to have written for.
 */
export async function knownBy(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Map<Uid, boolean>>> {
  const known = new Map<Uid, Map<Uid, boolean>>();
  for (const row of await knowing(db, uids)) {
    const of = known.get(row.seen as Uid) ?? new Map<Uid, boolean>();
    known.set(row.seen as Uid, of.set(row.by as Uid, of.get(row.by as Uid) === true || row.shown === 1));
  }
  return known;
}

const knowing = builtForEach((db, uids: readonly Uid[]) => {
  const shown = sql<number>`1`.as('shown');
  const lists = (['tunemates', 'audio_connections'] as const).map((list) =>
    db.selectFrom(list).select(['mate as seen', 'uid as by', shown]).where('mate', 'in', uids),
  );
  const [video, audio] = lists as [(typeof lists)[0], (typeof lists)[0]];
  const chats = db
    .selectFrom('conversations as own')
    .innerJoin('conversations as theirs', (join) =>
      join.onRef('theirs.uid', '=', 'own.other').onRef('theirs.pair_id', '=', 'own.pair_id'),
    )
    .select(['own.uid as seen', 'own.other as by'])
    .select(sql<number>`case when ${isAnswered('theirs')} then 1 else 0 end`.as('shown'))
    .where('own.uid', 'in', uids);
  const soulmates = db
    .selectFrom('users')
    .select((of) => ['uid as seen', of.ref('soulmate').$notNull().as('by'), shown])
    .where('uid', 'in', uids)
    .where('soulmate', 'is not', null)
    .where('deleted_at_ms', 'is', null)
    .where('email_verified', '=', 1);
  return video.union(audio).union(chats).union(soulmates);
});

/** Whom each of these people has blocked or is blocked by. */
async function partedFrom(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Uid[]>> {
  const blocking = db.selectFrom('blocks').select(['uid as seen', 'blocked as by']).where('uid', 'in', padded(uids));
  const blocked = db.selectFrom('blocks').select(['blocked as seen', 'uid as by']).where('blocked', 'in', padded(uids));
  return byPerson(await blocking.union(blocked).execute());
}

function byPerson(rows: readonly { seen: string; by: string }[]): Map<Uid, Uid[]> {
  const grouped = Map.groupBy(rows, ({ seen }) => seen as Uid);
  return new Map(Array.from(grouped, ([seen, some]) => [seen, some.map(({ by }) => by as Uid)]));
}

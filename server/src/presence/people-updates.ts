/**
 * Sends changes of a person's name and presence to those who may see them. Every process is notified of a change and
 * sends it to its own connections, so a change costs each process the same few statements, however many people see it,
 * and who may see it is read when it is sent. The event is ephemeral: people who were not connected find the change in
 * their snapshot, and each change is sent once more a while later, in case the first event was lost.
 */
import { userStream, type EphemeralEvent, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Clock, Log } from '../ports.ts';
import { personOf } from '../storage/people.ts';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

/** How far back changes are looked for: more than the clocks of several processes differ. */
const lookBackMs = 60_000;
/** With 15 s between two rounds each change is sent again at least once when it is 5 s old or more. */
const sendAgainMs = 20_000;

export interface PeopleUpdatesDeps {
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** The people whose screens show this person. */
  knownBy: (db: Db, uid: Uid) => Promise<Uid[]>;
  /** Those of `others` without a block between them and the person: only they see presence. */
  withoutBlocks: (db: Db, uid: Uid, others: readonly Uid[]) => Promise<Uid[]>;
  /** Sends to connections of this process only. */
  pass: (to: readonly StreamId[], news: EphemeralEvent) => void;
}

export function peopleUpdates({ db, clock, log, knownBy, withoutBlocks, pass }: PeopleUpdatesDeps) {
  /** The changes that the last round found, by their times. */
  let sentUpToMs = new Map<Uid, number>();
  const waiting = new Set<Uid>();
  let isSending = false;
  let sending: Promise<void> = Promise.resolve();

  /** Called when a person's name or presence has changed. */
  function changed(uid: Uid): void {
    waiting.add(uid);
    if (!isSending) sending = sendWaiting();
  }

  /** One after the other, so that two changes of one person are sent in order. */
  async function sendWaiting(): Promise<void> {
    isSending = true;
    for (const uid of waiting) {
      waiting.delete(uid);
      try {
        await send(uid);
      } catch (error) {
        log.warn({ uid, err: error }, 'people.change-not-sent');
      }
    }
    isSending = false;
  }

  async function send(uid: Uid): Promise<void> {
    const person = await personOf(db, uid);
    if (!person) return;
    const known = await knownBy(db, uid);
    // Read last, so that a block set meanwhile counts.
    const watchers = new Set(await withoutBlocks(db, uid, known));
    const parted = known.filter((each) => !watchers.has(each));
    pass([...watchers].map(userStream), { type: 'people/changed', person });
    pass(parted.map(userStream), { type: 'people/changed', person: { ...person, presence: null } });
  }

  /** Sends changes whose notification may not have reached this process. */
  async function look(): Promise<void> {
    const changes = await changedSince(clock.now() - lookBackMs);
    for (const [uid, atMs] of changes) if ((sentUpToMs.get(uid) ?? 0) < atMs) changed(uid);
    sentUpToMs = changes;
    await sending;
  }

  /** Sends recent changes once more, for connections that were just opening or reading a snapshot. */
  async function sendAgain(): Promise<void> {
    for (const uid of (await changedSince(clock.now() - sendAgainMs)).keys()) changed(uid);
    await sending;
  }

  async function changedSince(sinceMs: number): Promise<Map<Uid, number>> {
    const rows = await db
      .selectFrom('users')
      .select(['uid', 'shown_changed_at_ms'])
      .where('shown_changed_at_ms', '>', sinceMs)
      .execute();
    return new Map(rows.map((row) => [row.uid as Uid, row.shown_changed_at_ms]));
  }

  return { changed, look, sendAgain };
}

/** Called within the write that changes a name; a change of presence notes this itself. */
export async function markShownChanged(db: Db, uid: Uid, nowMs: number): Promise<void> {
  await db.updateTable('users').set({ shown_changed_at_ms: nowMs }).where('uid', '=', uid).execute();
}

/**
 * Telling people what others see of somebody: their name, and whether they are online. It goes to every process as a
 * ring, and each process tells those of its own connections that may see it. So a change costs each process the same few
 * statements, however many people watch, and who may see it is read at the moment of telling. It is not kept: who was
 * not there finds it in their snapshot, and each change is told once more a while later, which heals what got lost.
 */
import { userStream, type EphemeralEvent, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Clock, Log } from '../ports.ts';
import { personOf } from '../storage/people.ts';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

/** Changes as old as this are looked for: the clocks of several processes differ by less. */
const lookBackMs = 60_000;
/** With a pause of 15 s between two rounds each change is told again at least once when it is 5 s old or more. */
const tellAgainMs = 20_000;

export interface PeopleNewsDeps {
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** On whose own screens this person stands. */
  knownBy: (db: Db, uid: Uid) => Promise<Uid[]>;
  /** Those of them between whom and the person there is no block: only they see presence. */
  withoutBlocks: (db: Db, uid: Uid, others: readonly Uid[]) => Promise<Uid[]>;
  /** To connections of this process alone. */
  pass: (to: readonly StreamId[], news: EphemeralEvent) => void;
}

export function peopleNews({ db, clock, log, knownBy, withoutBlocks, pass }: PeopleNewsDeps) {
  /** The changes that the last look found, by their times. */
  let toldUpToMs = new Map<Uid, number>();
  const waiting = new Set<Uid>();
  let isTelling = false;
  let told: Promise<void> = Promise.resolve();

  /** Somebody's name or presence has changed. */
  function changed(uid: Uid): void {
    waiting.add(uid);
    if (!isTelling) told = tellWaiting();
  }

  /** One after the other, so that of two changes of one person the last is told last. */
  async function tellWaiting(): Promise<void> {
    isTelling = true;
    for (const uid of waiting) {
      waiting.delete(uid);
      try {
        await tell(uid);
      } catch (error) {
        log.warn({ uid, err: error }, 'people.change-not-sent');
      }
    }
    isTelling = false;
  }

  async function tell(uid: Uid): Promise<void> {
    const person = await personOf(db, uid);
    if (!person) return;
    const known = await knownBy(db, uid);
    // Read last: a block that was set meanwhile counts.
    const watchers = new Set(await withoutBlocks(db, uid, known));
    const parted = known.filter((each) => !watchers.has(each));
    pass([...watchers].map(userStream), { type: 'people/changed', person });
    pass(parted.map(userStream), { type: 'people/changed', person: { ...person, presence: null } });
  }

  /** Tells what may not have been announced here. */
  async function look(): Promise<void> {
    const changes = await changedSince(clock.now() - lookBackMs);
    for (const [uid, atMs] of changes) if ((toldUpToMs.get(uid) ?? 0) < atMs) changed(uid);
    toldUpToMs = changes;
    await told;
  }

  /** Tells what is new once more: for connections that were just opening, or reading, when it was told. */
  async function tellAgain(): Promise<void> {
    for (const uid of (await changedSince(clock.now() - tellAgainMs)).keys()) changed(uid);
    await told;
  }

  async function changedSince(sinceMs: number): Promise<Map<Uid, number>> {
    const rows = await db
      .selectFrom('users')
      .select(['uid', 'shown_changed_at_ms'])
      .where('shown_changed_at_ms', '>', sinceMs)
      .execute();
    return new Map(rows.map((row) => [row.uid as Uid, row.shown_changed_at_ms]));
  }

  return { changed, look, tellAgain };
}

/** Within the write that changes a name; a change of presence says so with its own row. */
export async function markShownChanged(db: Db, uid: Uid, nowMs: number): Promise<void> {
  await db.updateTable('users').set({ shown_changed_at_ms: nowMs }).where('uid', '=', uid).execute();
}

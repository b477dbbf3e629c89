/**
 * How much one person may leave with us for good: messages and pictures of private chats, a day and in all. Both bounds
 * are settings of the operator. What was deleted gives its room back.
 */
import type { Result, Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import type { Limits } from '../access/limits.ts';
import { reserving } from '../access/spending.ts';
import { shownName } from '../storage/people.ts';
import type { Db } from '../storage/schema.ts';
import { accept, type Clock, refuse } from '../system/ports.ts';

/** A row and its index entries, beside the text. */
const bytesOfMessage = 256;
/** What was read of a person counts for this long, with what this process has added since. */
const knownForMs = 10 * 60 * 1000;
const mostKnown = 10_000;

interface KeptDeps {
  limits: Pick<Limits, 'take' | 'giveBack'>;
  clock: Pick<Clock, 'now'>;
  /** Of one person in all; Infinity for no bound. */
  mostBytes: number;
}

/** Counts what is stored for good. */
export interface KeptBytes {
  /** Takes what `bytes`, at most, count of the person's day before `work` writes them, and puts back what was not stored. */
  reserve<Answer>(uid: Uid, bytes: number, work: (reserved: ReservedBytes) => Promise<Answer>): Promise<Answer>;
}

export interface ReservedBytes {
  /**
   * Whether so many of them may be stored, asked in the write that holds the person's own stream. What was stored before is
   * taken from memory where it may be: a message is little beside the bound, and an upload is not. Refusals:
   * limit/stored-today with the time to wait, and limit/stored-in-all.
   */
  mayStore(db: Db, bytes: number, from?: 'memory' | 'database'): Promise<Result<unknown>>;
  /** Once they are stored, as in `afterCommit`. */
  stored(bytes: number): void;
}

/** Without a bound. */
export const anyBytes: KeptBytes = {
  reserve: (_uid, _bytes, work) => work({ mayStore: () => Promise.resolve(accept({})), stored: () => undefined }),
};

export function keptBytes({ limits, clock, mostBytes }: KeptDeps): KeptBytes {
  const known = new Map<Uid, { bytes: number; untilMs: number }>();

  async function read(db: Db, uid: Uid) {
    if (known.size >= mostKnown) known.clear();
    const own = { bytes: await bytesOf(db, uid), untilMs: clock.now() + knownForMs };
    known.set(uid, own);
    return own;
  }

  async function refusalInAll(db: Db, uid: Uid, bytes: number, from: 'memory' | 'database') {
    let own = from === 'memory' ? known.get(uid) : undefined;
    // Before a refusal it is read again: something may have been deleted.
    if (!own || own.untilMs <= clock.now() || own.bytes + bytes > mostBytes) own = await read(db, uid);
    return own.bytes + bytes > mostBytes ? refuse('limit/stored-in-all') : null;
  }

  return {
    reserve: (uid, bytes, work) =>
      reserving(limits, ['storedKilobytes', uid, kilobytes(bytes)], ({ taken, spend }) =>
        work({
          async mayStore(db, stored, from = 'memory') {
            const refusal = await refusalInAll(db, uid, stored, from);
            if (refusal || taken.ok) return refusal ?? accept({});
            const { retryAfterMs } = taken.error;
            return refuse('limit/stored-today', retryAfterMs === undefined ? {} : { retryAfterMs });
          },
          stored(stored) {
            spend(kilobytes(stored));
            const own = known.get(uid);
            if (own) own.bytes += stored;
          },
        }),
      ),
  };
}

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024);

/** What a message counts. */
export const weightOf = (text: string): number => Buffer.byteLength(text) + bytesOfMessage;

/** What this person's messages and pictures take. */
async function bytesOf(db: Db, uid: Uid): Promise<number> {
  const { rows } = await sql<{ bytes: number | string | null }>`
    select sum(bytes) as bytes from (
      select sum(sent_bytes) as bytes from conversations where uid = ${uid}
      union all select sum(bytes) from images where uploader = ${uid} and state <> 'going'
    ) as both_kinds`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

export interface Holder {
  name: string;
  bytes: number;
}

/** Who keeps most, for the operator. */
export async function heaviestOf(db: Db, most: number): Promise<Holder[]> {
  const { rows } = await sql<{ name: string | null; bytes: number | string }>`
    select users.name, sum(kept.bytes) as bytes from (
      select uid, sum(sent_bytes) as bytes from conversations where sent_bytes > 0 group by uid
      union all select uploader, sum(bytes) from images where state <> 'going' group by uploader
    ) as kept inner join users on users.uid = kept.uid
    group by users.uid, users.name order by 2 desc limit ${most}`.execute(db);
  return rows.map(({ name, bytes }) => ({ name: shownName(name), bytes: Number(bytes) }));
}

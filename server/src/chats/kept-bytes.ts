/**
 * How much one person may leave with us for good: messages and pictures of private chats, a day and in all. Both bounds
 * are settings of the operator. What was deleted gives its room back.
 */
import type { Result, Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import type { Limits } from '../access/limits.ts';
import { shownName } from '../storage/people.ts';
import type { Db } from '../storage/schema.ts';
import { accept, type Clock, refuse } from '../system/ports.ts';

/** A row and its index entries, beside the text. */
const bytesOfMessage = 256;
/** What was read of a person counts for this long, with what this process has added since. */
const knownForMs = 10 * 60 * 1000;
const mostKnown = 10_000;

interface KeptDeps {
  limits: Pick<Limits, 'take'>;
  clock: Pick<Clock, 'now'>;
  /** Of one person in all; Infinity for no bound. */
  mostBytes: number;
}

/**
 * Counts bytes that are about to be stored for good, in the write that holds the person's own stream. What was counted
 * before is taken from memory where it may be: a message is little beside the bound, and an upload is not. Refusals:
 * limit/stored-today with the time to wait, and limit/stored-in-all.
 */
export type Keep = (db: Db, uid: Uid, bytes: number, from?: 'memory' | 'database') => Promise<Result<unknown>>;

export function keptBytes({ limits, clock, mostBytes }: KeptDeps): Keep {
  const known = new Map<Uid, { bytes: number; untilMs: number }>();

  async function read(db: Db, uid: Uid) {
    if (known.size >= mostKnown) known.clear();
    const own = { bytes: await bytesOf(db, uid), untilMs: clock.now() + knownForMs };
    known.set(uid, own);
    return own;
  }

  return async (db, uid, bytes, from = 'memory') => {
    let own = from === 'memory' ? known.get(uid) : undefined;
    // Before a refusal it is read again: something may have been deleted.
    if (!own || own.untilMs <= clock.now() || own.bytes + bytes > mostBytes) own = await read(db, uid);
    if (own.bytes + bytes > mostBytes) return refuse('limit/stored-in-all');
    const today = await limits.take('storedKilobytes', uid, Math.ceil(bytes / 1024));
    if (!today.ok) {
      const { retryAfterMs } = today.error;
      return refuse('limit/stored-today', retryAfterMs === undefined ? {} : { retryAfterMs });
    }
    own.bytes += bytes;
    return accept({});
  };
}

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

/**
 * The buckets of a socket request, and the limit on guessing room codes: a caller who is refused by rooms too often
 * gets no more answers about rooms for a while (JOIN-26). Members and hosts are not affected, because their rooms do
 * not refuse them.
 */
import type { Refusal, RequestName, Result } from '@tunemate/protocol';
import type { Limits } from '../access/limits.ts';
import { type AccessRow, type LimitName, socketAccess } from '../access/table.ts';
import { accept } from '../system/ports.ts';
import type { Caller } from '../access/caller.ts';

/** Checked first: while this limit is used up, a right code must get the same answer as a wrong one. */
const probing = new Set<RequestName>(['rooms/lookUp', 'rooms/askToJoin']);
const telling = new Set<Refusal['code']>(['room/not-found', 'room/not-member']);
/** Counted for each room of a person: all tabs of a host share them. */
const perRoom = new Set<LimitName>(['playback', 'playbackBytes', 'orders']);

/** The bytes that one write stores beside its payload: an entry, a kept answer, and their index entries. */
const bytesOfAnyWrite = 512;

function keyOf(caller: Caller, limit: LimitName, payload: unknown): string {
  if (!perRoom.has(limit)) return caller.uid;
  const { kind, code } = payload as { kind: string; code: string };
  // The person is part of the key, so that other people can't use up the share of a room.
  return `${caller.uid}:${kind}:${code}`;
}

export function requestLimits(limits: Limits) {
  const missBuckets = (caller: Caller) =>
    [
      ['lookUpMisses', caller.uid],
      ['lookUpMissesIp', caller.address],
    ] as const;

  async function takeLimit(caller: Caller, name: RequestName, payload: unknown): Promise<Result<unknown>> {
    const row: AccessRow = socketAccess[name];
    if (probing.has(name)) {
      for (const [bucket, key] of missBuckets(caller)) {
        const peeked = await limits.peek(bucket, key);
        if (!peeked.ok) return peeked;
      }
    }
    if (name === 'clock/probe') return accept({});
    const taken = await limits.take(row.limit, keyOf(caller, row.limit, payload));
    if (!taken.ok || !row.budget) return taken;
    const bytes = bytesOfAnyWrite + Buffer.byteLength(JSON.stringify(payload));
    return await limits.take(row.budget, keyOf(caller, row.budget, payload), bytes);
  }

  /** The refusal that the caller gets instead of this one. */
  async function afterRefusal(caller: Caller, name: RequestName, refusal: Refusal): Promise<Refusal> {
    const row: AccessRow = socketAccess[name];
    if (row.room === undefined || !telling.has(refusal.code)) return refusal;
    for (const [bucket, key] of missBuckets(caller)) {
      const taken = await limits.take(bucket, key);
      if (!taken.ok) return taken.error;
    }
    return refusal;
  }

  return { takeLimit, afterRefusal };
}

/**
 * Holding a phone beside a page: for a minute a device without an account hears the bundled track that a room plays, at
 * the same second. A demonstration: it tells of a track and its place, and of no room and no person.
 */
import { z } from 'zod';
import { limits } from './wire/limits.ts';
import { route } from './wire/request.ts';
import { roomCodeInput, videoId } from './wire/fields.ts';
import { roomKind } from './wire/room-kind.ts';

export const besideRoutes = {
  /** `access/not-found` while the room plays no bundled track. The key works until `untilMs`, server time. */
  'POST /api/beside': route({
    may: 'let devices without an account hear the bundled track of their own room for a minute',
    session: 'verified',
    limit: 'orders',
    payload: z.strictObject({ kind: roomKind, code: roomCodeInput }),
    value: z.strictObject({ key: z.string(), untilMs: z.number() }),
  }),
  /**
   * The place of the track, as in a room: `positionSeconds` at `atServerMs`, going on while it plays. The two times of the
   * server make each answer a probe of its clock. `access/not-found` once the key, the room or the track is over.
   */
  'GET /api/beside': route({
    may: 'read, with a key from such a room, which bundled track plays and where it is',
    session: 'none',
    limit: 'beside',
    payload: z.strictObject({ key: z.string().max(limits.besideKey) }),
    value: z.strictObject({
      track: z.strictObject({
        videoId,
        title: z.string(),
        artist: z.string().nullable(),
        durationSeconds: z.number().nullable(),
      }),
      timeline: z.strictObject({
        revision: z.number(),
        isPlaying: z.boolean(),
        positionSeconds: z.number(),
        atServerMs: z.number(),
      }),
      serverReceivedMs: z.number(),
      serverSentMs: z.number(),
    }),
  }),
} as const;

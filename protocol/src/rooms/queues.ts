/**
 * Saved queues: a person saves what a room has queued or played under a name, and adds it to another room later.
 * Tunemates with whom one is shared may read it, until the owner ends that or the two are tunemates no more.
 */
import { z } from 'zod';
import { userCard } from '../accounts.ts';
import { namedTrack } from '../playback.ts';
import { clientId, namedUid, queueName, roomCodeInput } from '../wire/fields.ts';
import { limits } from '../wire/limits.ts';
import { request } from '../wire/request.ts';
import { roomKind } from '../wire/room-kind.ts';

const queueId = z.string().max(40);
const nothing = z.strictObject({});

export const savedQueue = z.strictObject({
  queueId,
  /** Of the room it was saved in. */
  kind: roomKind,
  name: z.string(),
  tracks: z.number().int().positive(),
  savedAt: z.number(),
  /** Who shares it with the caller; null of the caller's own. */
  owner: userCard.nullable(),
  /** With whom the caller shares it. */
  sharedWith: z.array(userCard),
});
export type SavedQueue = z.infer<typeof savedQueue>;

export const queueRequests = {
  /** The caller's own, the latest first, and then those that others share with them, the latest shared first. */
  'queues/list': request({
    may: 'list their own saved queues and those shared with them',
    limit: 'general',
    isRead: true,
    payload: nothing,
    value: z.strictObject({ queues: z.array(savedQueue).max(limits.savedQueues + limits.sharedQueues) }),
  }),
  /** Its tracks that can be played now; `gone` counts those that are in the library no more. */
  'queues/read': request({
    may: 'read a saved queue that is theirs or shared with them',
    limit: 'browsing',
    isRead: true,
    payload: z.strictObject({ queueId }),
    value: z.strictObject({ tracks: z.array(namedTrack), gone: z.number().int().nonnegative() }),
  }),
  /** 'full': the caller has as many as one may have. 'nothing': there is no track to save. */
  'queues/save': request({
    may: 'save what the room has queued or played',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject({
      kind: roomKind,
      code: roomCodeInput,
      clientId,
      name: queueName,
      of: z.enum(['queue', 'played']),
    }),
    value: z.strictObject({ outcome: z.enum(['saved', 'full', 'nothing']) }),
  }),
  'queues/rename': request({
    may: 'rename their own saved queue',
    limit: 'reactions',
    payload: z.strictObject({ queueId, name: queueName }),
    value: nothing,
  }),
  /** One that is gone stays so. Of another person's queue it ends that the caller may read it. */
  'queues/delete': request({
    may: 'delete their own saved queue, or give up one shared with them',
    limit: 'general',
    payload: z.strictObject({ queueId }),
    value: nothing,
  }),
  /** Lets a tunemate read one of the caller's own, which a notification says, or no more. */
  'queues/share': request({
    may: 'share their own saved queue with a tunemate, or end that',
    needs: { person: 'known' },
    limit: 'reactions',
    payload: z.strictObject({ queueId, uid: namedUid, isOn: z.boolean() }),
    value: nothing,
  }),
} as const;

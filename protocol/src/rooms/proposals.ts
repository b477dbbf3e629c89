/**
 * Proposals of a room: what guests would like to hear. The host adds them to the queue or dismisses them; every member can
 * vote. The person who proposes has the first vote, and a proposal without a vote is gone.
 */
import { z } from 'zod';
import { clientId, roomCodeInput, uid } from '../wire/fields.ts';
import { namedTrack, track } from '../playback.ts';
import { request } from '../wire/request.ts';
import { roomKind } from '../wire/room-kind.ts';

const inRoom = { kind: roomKind, code: roomCodeInput };
const proposalId = z.string().max(40);
const nothing = z.strictObject({});

export const proposal = z.strictObject({
  id: proposalId,
  track,
  /** The first of its present voters. */
  proposer: uid,
  votes: z.number().int().positive(),
});
export type Proposal = z.infer<typeof proposal>;

export const proposed = z.strictObject({ type: z.literal('rooms/proposed'), proposal });
/** A member voted, or took their vote back; `votes` and `proposer` are those of then. */
export const proposalVoted = z.strictObject({
  type: z.literal('rooms/proposalVoted'),
  proposalId,
  uid,
  isOn: z.boolean(),
  votes: z.number().int().positive(),
  proposer: uid,
});
/** It was added to the queue, dismissed, or has no vote any more. */
export const proposalRemoved = z.strictObject({ type: z.literal('rooms/proposalRemoved'), proposalId });

export const proposalRequests = {
  /**
   * 'voted': the track stands among the proposals, and has the caller's vote now. 'queued': it is still to come in the
   * queue, perhaps because every member may add.
   */
  'rooms/propose': request({
    may: 'propose a track; while everyone can add, it is queued at once',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject({ ...inRoom, clientId, track: namedTrack }),
    value: z.strictObject({ outcome: z.enum(['proposed', 'voted', 'queued']) }),
  }),
  /** Votes, or takes the vote back; twice is once. */
  'rooms/voteForProposal': request({
    may: 'vote for a proposal, or take the vote back',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject({ ...inRoom, proposalId, isOn: z.boolean() }),
    value: nothing,
  }),
  /** Puts a proposal at the end of the queue. */
  'rooms/addProposal': request({
    may: 'put a proposal at the end of the queue',
    needs: { room: 'host' },
    limit: 'playback',
    payload: z.strictObject({ ...inRoom, clientId, proposalId }),
    value: nothing,
  }),
  /** A proposal that is gone already stays so. */
  'rooms/dismissProposal': request({
    may: 'dismiss a proposal',
    needs: { room: 'host' },
    limit: 'general',
    payload: z.strictObject({ ...inRoom, proposalId }),
    value: nothing,
  }),
} as const;

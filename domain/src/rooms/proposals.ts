/** Decides whether a proposed track becomes a proposal, a vote or a queue entry. Pure. */
import { type ErrorCode, limits, type Uid, type VideoId } from '@tunemate/protocol';

export interface ProposalFacts {
  uid: Uid;
  videoId: VideoId;
  /** Whether proposals go straight to the queue. */
  everyoneAdds: boolean;
  proposals: readonly { id: string; videoId: VideoId; proposer: Uid; isVoted: boolean }[];
  /** The upcoming tracks of the queue. */
  waiting: readonly { videoId: VideoId; proposedBy?: Uid | undefined }[];
}

export type ProposalDecision =
  | { type: 'propose' }
  /** The track is already proposed: the proposal becomes a vote for it, which may exist already. */
  | { type: 'vote'; id: string; isNew: boolean }
  | { type: 'queue' }
  /** The track is already upcoming: nothing is added. */
  | { type: 'is-queued' }
  | { type: 'refuse'; code: ErrorCode };

export function decideProposal(facts: ProposalFacts): ProposalDecision {
  const { uid, videoId, everyoneAdds, proposals, waiting } = facts;
  if (waiting.some((queued) => queued.videoId === videoId)) return { type: 'is-queued' };
  const own = proposals.filter(({ proposer }) => proposer === uid).length;
  const tooMany = { type: 'refuse', code: 'proposals/too-many' } as const;
  if (everyoneAdds) {
    const ownWaiting = waiting.filter(({ proposedBy }) => proposedBy === uid).length;
    return own + ownWaiting >= limits.waitingPerPerson ? tooMany : { type: 'queue' };
  }
  const same = proposals.find((other) => other.videoId === videoId);
  if (same) return { type: 'vote', id: same.id, isNew: !same.isVoted };
  if (own >= limits.waitingPerPerson) return tooMany;
  return proposals.length >= limits.proposalsPerRoom ? { type: 'refuse', code: 'proposals/full' } : { type: 'propose' };
}

/** More than half of the members present. */
export function isMajority(votes: number, present: number): boolean {
  return votes * 2 > present;
}

/** What becomes of a track that somebody in a room proposes. Pure. */
import { type ErrorCode, limits, type Uid, type VideoId } from '@tunemate/protocol';

/** What the decision needs to know. */
export interface ProposalFacts {
  uid: Uid;
  videoId: VideoId;
  /** Whether proposals go straight to the queue. */
  everyoneAdds: boolean;
  proposals: readonly { id: string; videoId: VideoId; proposer: Uid; isVoted: boolean }[];
  /** The tracks of the queue that are still to come. */
  waiting: readonly { videoId: VideoId; proposedBy?: Uid | undefined }[];
}

export type ProposalDecision =
  | { type: 'propose' }
  /** It stands among the proposals: a vote for that one, which may be there already. */
  | { type: 'vote'; id: string; isNew: boolean }
  | { type: 'queue' }
  /** It is still to come: nothing is added. */
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

/** Whether so many votes are more than half of those who are present. Pure. */
export function isMajority(votes: number, present: number): boolean {
  return votes * 2 > present;
}

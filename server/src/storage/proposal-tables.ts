/** The tables of what guests would like: proposals, votes for them, and votes to skip. */

export interface ProposalsTable {
  room_id: string;
  proposal_id: string;
  /** Rises with each proposal of the room. */
  position: number;
  video_id: string;
  /** Id, title and length as JSON. */
  track: string;
}

/** One vote for a proposal; that of the lowest position is the proposer's. */
export interface ProposalVotesTable {
  room_id: string;
  proposal_id: string;
  uid: string;
  position: number;
}

/** A vote to skip what the room plays. */
export interface SkipVotesTable {
  room_id: string;
  uid: string;
}

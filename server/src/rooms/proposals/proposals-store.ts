/**
 * Reads and writes the proposals of a room and the votes for them. The first of a proposal's votes is its proposer's.
 */
import { withThumbnail } from '@tunemate/domain';
import { namedTrack, type NamedTrack, type Proposal, type RoomId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.ts';

type Db = Kysely<Schema>;

/** A proposal and everybody who votes for it, in the order in which they voted. */
export interface VotedProposal {
  id: string;
  track: NamedTrack;
  voters: readonly Uid[];
}

/** The proposals of a room, oldest first. */
export async function proposalsIn(db: Db, roomId: RoomId): Promise<VotedProposal[]> {
  const rows = await db
    .selectFrom('proposals')
    .innerJoin('proposal_votes', 'proposal_votes.proposal_id', 'proposals.proposal_id')
    .select(['proposals.proposal_id as id', 'track', 'uid'])
    .where('proposals.room_id', '=', roomId)
    .orderBy('proposals.position')
    .orderBy('proposal_votes.position')
    .execute();
  const found = new Map<string, { id: string; track: NamedTrack; voters: Uid[] }>();
  for (const { id, track, uid } of rows) {
    const known = found.get(id) ?? { id, track: namedTrack.parse(JSON.parse(track)), voters: [] };
    known.voters.push(uid as Uid);
    found.set(id, known);
  }
  return [...found.values()];
}

/** As members receive it. */
export function toProposal({ id, track, voters }: VotedProposal): Proposal {
  const [proposer] = voters;
  if (proposer === undefined) throw new Error('a proposal without a vote is deleted');
  return { id, track: withThumbnail(track), proposer, votes: voters.length };
}

export async function insertProposal(db: Db, roomId: RoomId, id: string, uid: Uid, track: NamedTrack): Promise<void> {
  const { last } = await db
    .selectFrom('proposals')
    .select((inner) => inner.fn.max('position').as('last'))
    .where('room_id', '=', roomId)
    .executeTakeFirstOrThrow();
  const { videoId, title, durationSeconds, startSeconds } = track;
  const json = JSON.stringify({ videoId, title, durationSeconds, startSeconds });
  await db
    .insertInto('proposals')
    .values({ room_id: roomId, proposal_id: id, position: (last ?? 0) + 1, video_id: videoId, track: json })
    .execute();
  await db.insertInto('proposal_votes').values({ room_id: roomId, proposal_id: id, uid, position: 0 }).execute();
}

export async function insertVote(db: Db, roomId: RoomId, id: string, uid: Uid): Promise<void> {
  const { last } = await db
    .selectFrom('proposal_votes')
    .select((inner) => inner.fn.max('position').as('last'))
    .where('proposal_id', '=', id)
    .executeTakeFirstOrThrow();
  const position = (last ?? 0) + 1;
  await db.insertInto('proposal_votes').values({ room_id: roomId, proposal_id: id, uid, position }).execute();
}

export async function deleteVote(db: Db, id: string, uid: Uid): Promise<void> {
  await db.deleteFrom('proposal_votes').where('proposal_id', '=', id).where('uid', '=', uid).execute();
}

export async function deleteProposal(db: Db, id: string): Promise<void> {
  await db.deleteFrom('proposal_votes').where('proposal_id', '=', id).execute();
  await db.deleteFrom('proposals').where('proposal_id', '=', id).execute();
}

export async function deleteProposalsIn(db: Db, roomId: RoomId): Promise<void> {
  await db.deleteFrom('proposal_votes').where('room_id', '=', roomId).execute();
  await db.deleteFrom('proposals').where('room_id', '=', roomId).execute();
}

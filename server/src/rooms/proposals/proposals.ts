/**
 * Guests take part: they propose tracks and vote for proposals; the host adds them to the queue or dismisses them.
 * Every write holds the room's stream, so of two that meet one comes first, and the other finds what it left. The first
 * of a proposal's votes is its proposer's.
 */
import { decideProposal, withThumbnail } from '@tunemate/domain';
import {
  type NamedTrack,
  type Payload,
  type Proposal,
  type Result,
  type RoomId,
  type RoomKind,
  roomStream,
  type Uid,
  type VideoId,
} from '@tunemate/protocol';
import type { Handlers, Member, RoomRow } from '../../access/subjects.ts';
import type { Playback } from '../../playback/playback.ts';
import { waitingIn } from '../../playback/shown-playback.ts';
import { once } from '../../storage/idempotency.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { readStoredTrack } from '../../storage/stored-track.ts';
import { accept, type Ids, type Nothing, refuse } from '../../system/ports.ts';

interface Outcome {
  outcome: 'proposed' | 'voted' | 'queued';
}

export interface ProposalsDeps {
  ids: Ids;
  playback: Pick<Playback, 'enqueue'>;
  /** Whether a room of this kind may play it. */
  mayPlay: (kind: RoomKind, videoId: VideoId) => boolean;
}

export function proposalsService(deps: ProposalsDeps) {
  async function propose(
    { caller: { uid }, write }: Member,
    { clientId, track }: Payload<'rooms/propose'>,
  ): Promise<Result<Outcome>> {
    return await write([], async (writing, { room }) => {
      const { kind, roomId } = room;
      if (!deps.mayPlay(kind, track.videoId)) return refuse('input/invalid', { field: 'videoId' });
      const asked = ['rooms/propose', roomId, track];
      return await once(writing, uid, clientId, asked, () => decide(deps, writing, room, uid, track), { roomId });
    });
  }

  async function vote(
    { caller: { uid }, write }: Member,
    { proposalId, isOn }: Payload<'rooms/voteForProposal'>,
  ): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      const proposal = await find(writing, room, proposalId);
      if (proposal === undefined) return isOn ? refuse('access/not-found') : accept({});
      if (proposal.voters.includes(uid) !== isOn) await setVote(writing, room, proposal, uid, isOn);
      return accept({});
    });
  }

  async function add(
    { caller: { uid }, write }: Member,
    { clientId, proposalId }: Payload<'rooms/addProposal'>,
  ): Promise<Result<Nothing>> {
    const toQueue = async (writing: Writing, room: RoomRow): Promise<Result<Nothing>> => {
      const proposal = await find(writing, room, proposalId);
      if (proposal === undefined) return refuse('access/not-found');
      const { track, proposer } = toProposal(proposal);
      const added = await deps.playback.enqueue(writing, room, track, proposer);
      if (!added.ok) return added;
      await remove(writing, room, proposalId);
      return accept({});
    };
    return await write([], (writing, { room }) => {
      const { roomId } = room;
      const asked = ['rooms/addProposal', roomId, proposalId];
      return once(writing, uid, clientId, asked, () => toQueue(writing, room), { roomId });
    });
  }

  async function dismiss(
    { write }: Member,
    { proposalId }: Payload<'rooms/dismissProposal'>,
  ): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      if ((await find(writing, room, proposalId)) !== undefined) await remove(writing, room, proposalId);
      return accept({});
    });
  }

  return {
    handlers: {
      'rooms/propose': propose,
      'rooms/voteForProposal': vote,
      'rooms/addProposal': add,
      'rooms/dismissProposal': dismiss,
    } satisfies Partial<Handlers>,
  };
}

async function decide(
  { ids, playback }: ProposalsDeps,
  writing: Writing,
  room: RoomRow,
  uid: Uid,
  track: NamedTrack,
): Promise<Result<Outcome>> {
  const { db } = writing;
  const found = await proposalsIn(db, room.roomId);
  const proposals = found.map((proposal) => ({
    id: proposal.id,
    videoId: proposal.track.videoId,
    proposer: toProposal(proposal).proposer,
    isVoted: proposal.voters.includes(uid),
  }));
  const waiting = await waitingIn(db, room);
  const { everyoneAdds } = room;
  const decision = decideProposal({ uid, videoId: track.videoId, everyoneAdds, proposals, waiting });
  switch (decision.type) {
    case 'refuse':
      return refuse(decision.code);
    case 'is-queued':
      return accept({ outcome: 'queued' });
    case 'queue': {
      const added = await playback.enqueue(writing, room, track, uid);
      return added.ok ? accept({ outcome: 'queued' }) : added;
    }
    case 'vote': {
      const voted = found.find(({ id }) => id === decision.id);
      if (decision.isNew && voted) await setVote(writing, room, voted, uid, true);
      return accept({ outcome: 'voted' });
    }
    case 'propose': {
      const id = ids.newId();
      await insertProposal(db, room.roomId, id, uid, track);
      const proposal = toProposal({ id, track, voters: [uid] });
      await writing.append(roomStream(room.roomId), { type: 'rooms/proposed', proposal });
      return accept({ outcome: 'proposed' });
    }
  }
}

/** Takes back every vote of a person who leaves. */
export async function forgetVotesOf(writing: Writing, room: RoomRow, uid: Uid): Promise<void> {
  for (const proposal of await proposalsIn(writing.db, room.roomId)) {
    if (proposal.voters.includes(uid)) await setVote(writing, room, proposal, uid, false);
  }
}

const find = async ({ db }: Writing, { roomId }: RoomRow, proposalId: string) =>
  (await proposalsIn(db, roomId)).find(({ id }) => id === proposalId);

/** The last vote that is taken back takes the proposal with it. */
async function setVote(
  writing: Writing,
  room: RoomRow,
  proposal: VotedProposal,
  uid: Uid,
  isOn: boolean,
): Promise<void> {
  const { id } = proposal;
  const voters = isOn ? [...proposal.voters, uid] : proposal.voters.filter((voter) => voter !== uid);
  if (voters.length === 0) return await remove(writing, room, id);
  if (isOn) await insertVote(writing.db, room.roomId, id, uid);
  else await deleteVote(writing.db, id, uid);
  const { votes, proposer } = toProposal({ ...proposal, voters });
  const voted = { type: 'rooms/proposalVoted', proposalId: id, uid, isOn, votes, proposer } as const;
  await writing.append(roomStream(room.roomId), voted);
}

async function remove(writing: Writing, { roomId }: RoomRow, proposalId: string): Promise<void> {
  await deleteProposal(writing.db, proposalId);
  await writing.append(roomStream(roomId), { type: 'rooms/proposalRemoved', proposalId });
}

/** A proposal and all who vote for it, in the order in which they voted. */
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
    const known = found.get(id) ?? { id, track: readStoredTrack(track), voters: [] };
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

async function insertProposal(db: Db, roomId: RoomId, id: string, uid: Uid, track: NamedTrack): Promise<void> {
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

async function insertVote(db: Db, roomId: RoomId, id: string, uid: Uid): Promise<void> {
  const { last } = await db
    .selectFrom('proposal_votes')
    .select((inner) => inner.fn.max('position').as('last'))
    .where('proposal_id', '=', id)
    .executeTakeFirstOrThrow();
  const position = (last ?? 0) + 1;
  await db.insertInto('proposal_votes').values({ room_id: roomId, proposal_id: id, uid, position }).execute();
}

async function deleteVote(db: Db, id: string, uid: Uid): Promise<void> {
  await db.deleteFrom('proposal_votes').where('proposal_id', '=', id).where('uid', '=', uid).execute();
}

async function deleteProposal(db: Db, id: string): Promise<void> {
  await db.deleteFrom('proposal_votes').where('proposal_id', '=', id).execute();
  await db.deleteFrom('proposals').where('proposal_id', '=', id).execute();
}

export async function deleteProposalsIn(db: Db, roomId: RoomId): Promise<void> {
  await db.deleteFrom('proposal_votes').where('room_id', '=', roomId).execute();
  await db.deleteFrom('proposals').where('room_id', '=', roomId).execute();
}

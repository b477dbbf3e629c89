/**
 * Guests take part: they propose tracks and vote for proposals; the host adds them to the queue or dismisses them. Every
 * write holds the room's stream, so of two that meet one comes first, and the other finds what it left.
 */
import { decideProposal } from '@tunemate/domain';
import { type NamedTrack, type Payload, type QueuedTrack, type Result, roomStream, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Member, RoomRow } from '../../access/subjects.ts';
import { accept, type Ids, refuse } from '../../system/ports.ts';
import { once } from '../../storage/idempotency.ts';
import type { Writing } from '../../storage/record.ts';
import type { Schema } from '../../storage/schema.ts';
import {
  deleteProposal,
  deleteVote,
  insertProposal,
  insertVote,
  proposalsIn,
  toProposal,
  type VotedProposal,
} from './proposals-store.ts';

export interface ProposalsDeps {
  ids: Ids;
  /** The tracks of the room's queue that are still to come. */
  waitingIn: (db: Kysely<Schema>, room: RoomRow) => Promise<readonly QueuedTrack[]>;
  /** Adds a track at the end of the queue, inside the transaction. */
  enqueue: (writing: Writing, room: RoomRow, track: NamedTrack, proposedBy: Uid) => Promise<Result<unknown>>;
}

type Nothing = Record<string, never>;
interface Outcome {
  outcome: 'proposed' | 'voted' | 'queued';
}

export function proposalsService(deps: ProposalsDeps) {
  async function propose(
    { caller: { uid }, write }: Member,
    { clientId, track }: Payload<'rooms/propose'>,
  ): Promise<Result<Outcome>> {
    return await write([], (writing, { room }) => {
      const { roomId } = room;
      const asked = ['rooms/propose', roomId, track];
      return once(writing, uid, clientId, asked, () => decide(deps, writing, room, uid, track), { roomId });
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
      const added = await deps.enqueue(writing, room, track, proposer);
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
  { ids, waitingIn, enqueue }: ProposalsDeps,
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
      const added = await enqueue(writing, room, track, uid);
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

/** Takes back every vote of somebody who leaves. */
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

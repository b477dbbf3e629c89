/**
 * How the host lets people in: answers to requests, one or all at once, and who comes in without one. Of two
 * competing answers the first wins.
 */
import { answered, decideAnswer, isDeclinedForGood } from '@tunemate/domain';
import { hostStream, type Payload, type Result, type Uid, userStream, type Value } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Member, RoomRow, RoomStreams } from '../../access/subjects.ts';
import { accept, refuse } from '../../system/ports.ts';
import type { Writing } from '../../storage/record.ts';
import type { RoomRef, Schema } from '../../storage/schema.ts';
import { applicantOf } from './applicant-store.ts';
import { hideRequest } from './hidden-request.ts';
import { admit } from './admit.ts';
import type { RequestsDeps } from './requests-service.ts';
import { pendingRequests, removeRequest, saveRequest } from './requests-store.ts';
import { countMembers, setAdmits } from '../lifecycle/rooms-store.ts';

type Nothing = Record<string, never>;
type Verdict = 'accepted' | 'rejected';
type AnswersDeps = Pick<RequestsDeps, 'record' | 'clock' | 'log' | 'meet'>;

const streamOfHost: RoomStreams = ({ roomId }) => [hostStream(roomId)];

export function answersService(deps: AnswersDeps) {
  async function answer(
    { caller, write }: Member,
    { uid }: Payload<'rooms/acceptRequest'>,
    verdict: Verdict,
  ): Promise<Result<Nothing>> {
    // Only the host answers.
    const streams: RoomStreams = ({ roomId }) => [hostStream(roomId), userStream(caller.uid), userStream(uid)];
    const outcome = await write(streams, (writing, { room }) => apply(deps, writing, room, uid, verdict));
    return outcome.ok ? accept({}) : outcome;
  }

  /** Accepts those whom the host saw, and nobody who has asked since. A repetition finds them inside. */
  async function acceptAll(
    { caller, write }: Member,
    { uids }: Payload<'rooms/acceptAll'>,
  ): Promise<Result<Value<'rooms/acceptAll'>>> {
    const waiting = async (db: Kysely<Schema>, room: RoomRef) =>
      (await pendingRequests(db, room.kind, room.roomId, deps.clock.now())).filter(({ uid }) => uids.includes(uid));
    const streamsOf: RoomStreams = async (room, db) => [
      hostStream(room.roomId),
      userStream(caller.uid),
      ...(await waiting(db, room)).map(({ uid }) => userStream(uid)),
    ];
    return await write(streamsOf, async (writing, { room }) => {
      let isFull = false;
      for (const { uid } of await waiting(writing.db, room)) {
        const outcome = await apply(deps, writing, room, uid, 'accepted');
        isFull ||= !outcome.ok && outcome.error.code === 'room/full';
        if (isFull) break;
      }
      return accept({ inside: await countMembers(writing.db, room.kind, room.roomId, uids), isFull });
    });
  }

  async function setAdmission({ write }: Member, { admits }: Payload<'rooms/setAdmission'>): Promise<Result<Nothing>> {
    return await write(streamOfHost, async (writing, { room }) => {
      if (room.admits === admits) return accept({});
      await setAdmits(writing.db, room.kind, room.roomId, admits);
      await writing.append(hostStream(room.roomId), { type: 'rooms/admissionChanged', admits });
      deps.log.info({ kind: room.kind, roomId: room.roomId, admits }, 'room.admission-changed');
      return accept({});
    });
  }

  return {
    handlers: {
      'rooms/acceptRequest': (member, payload) => answer(member, payload, 'accepted'),
      'rooms/rejectRequest': (member, payload) => answer(member, payload, 'rejected'),
      'rooms/acceptAll': acceptAll,
      'rooms/setAdmission': setAdmission,
    } satisfies Partial<Handlers>,
  };
}

async function apply(deps: AnswersDeps, writing: Writing, room: RoomRow, uid: Uid, verdict: Verdict) {
  const { kind, roomId } = room;
  const { person, request, isBlocked, hasBlocked, ...facts } = await applicantOf(writing.db, room, uid, writing.nowMs);
  const decision = decideAnswer(verdict, { ...facts, request, nowMs: writing.nowMs });
  if (decision.type === 'same') return accept('same' as const);
  if (decision.type === 'refuse') return refuse(decision.code);
  // To the host, a blocked person has no request.
  if (isBlocked) return refuse('access/not-found');
  if (!person || !request) {
    await removeRequest(writing.db, kind, roomId, uid);
    await hideRequest(writing, roomId, uid, request?.askedAtMs ?? writing.nowMs);
    return refuse('access/not-found');
  }
  const now = answered(request, verdict, writing.nowMs);
  const people = facts.participants + 1;
  const admittance = { request: now, isUnasked: false, hasBlocked, people };
  if (verdict === 'accepted') await admit(deps, writing, room, person, admittance);
  else await decline(writing, room, person, now);
  deps.log.info({ kind, roomId, verdict }, 'room.request-answered');
  return accept('applied' as const);
}

async function decline(
  writing: Writing,
  { kind, roomId, code }: RoomRow,
  { uid, name }: { uid: Uid; name: string },
  request: ReturnType<typeof answered>,
): Promise<void> {
  await saveRequest(writing.db, kind, roomId, { uid, name }, request);
  const shown = { uid, name, status: 'rejected', askedAt: request.askedAtMs } as const;
  await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request: shown });
  const answer = isDeclinedForGood(request) ? 'rejected-for-good' : 'rejected';
  await writing.append(userStream(uid), { type: 'rooms/requestAnswered', kind, code, answer });
}

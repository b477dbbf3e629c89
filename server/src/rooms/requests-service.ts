/**
 * Requests to join and the host's answers. Accepting is one transaction: status, membership, both people's lists. The
 * first of two competing answers wins.
 */
import { answered, decideAnswer, decideAsk, isDeclinedForGood, ownStatusOf, type RequestFact } from '@tunemate/domain';
import {
  hostStream,
  userStream,
  type Payload,
  roomKinds,
  roomStream,
  type Uid,
  type Value,
  type Result,
} from '@tunemate/protocol';
import type { Handlers, Member, Membership, RoomRow } from '../access/subjects.ts';
import { accept, type Clock, type Log, type Notify, refuse } from '../ports.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import {
  pendingRequests,
  removeRequest,
  requestOf,
  overdueRequests,
  saveRequest,
  setRequestStatus,
} from './requests-store.ts';
import { addMember, countMembers, isMember } from './rooms-store.ts';
import { membershipAgain } from './membership.ts';

export interface RequestsDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** Null for a deleted account. With presence, as participants show it. */
  personOf: (db: Writing['db'], uid: Uid) => Promise<{ uid: Uid; name: string; online: boolean } | null>;
  /** Adds each person to the other's list of this kind, inside the transaction. */
  meet: (writing: Writing, kind: RoomRow['kind'], a: Uid, b: Uid) => Promise<void>;
  isBlocked: (db: Writing['db'], by: Uid, whom: Uid) => Promise<boolean>;
  /** The bucket of one room (1/s, burst 20); per-person limits are the dispatcher's. */
  takeFromRoom: (roomId: string) => Promise<Result<unknown>>;
  notify: Notify;
}

type Nothing = Record<string, never>;
type Asked = Value<'rooms/askToJoin'>;

export function requestsService(deps: RequestsDeps) {
  const { record, clock } = deps;

  async function askToJoin({ room, role, caller, write }: Member): Promise<Result<Asked>> {
    if (role === 'host' || role === 'participant') return accept({ code: room.code, status: 'member' });
    if (role !== 'pending') {
      const taken = await deps.takeFromRoom(room.roomId);
      if (!taken.ok) return taken;
    }
    return await write([hostStream(room.roomId)], (writing, now) => ask(deps, writing, now, caller.uid));
  }

  async function cancelRequest({ room, caller, write }: Member): Promise<Result<Nothing>> {
    return await write([hostStream(room.roomId)], async (writing, { role, request }) => {
      // The host has answered already.
      if (role !== 'pending' || !request) return refuse('room/request-resolved');
      // The row stays, so that withdrawing does not reset how often the host declined.
      await close(writing, room, caller.uid, request, 'withdrawn');
      return accept({});
    });
  }

  /** Lets requests lapse that were not answered in half an hour, and notifies both sides. Runs on a timer. */
  async function lapse(): Promise<void> {
    for (const kind of roomKinds) {
      for (const { room, uid } of await overdueRequests(record.db, kind, clock.now())) {
        const streams = [roomStream(room.roomId), hostStream(room.roomId), userStream(uid)];
        await record.write(streams, async (writing) => {
          const again = await membershipAgain(writing.db, room, uid, writing.nowMs);
          // Answered, withdrawn or made again meanwhile.
          if (again?.request?.status !== 'pending' || again.role === 'pending' || !again.room.isActive) return;
          await close(writing, room, uid, again.request, 'lapsed');
          const answer = { type: 'rooms/requestAnswered', kind, code: room.code, answer: 'lapsed' } as const;
          await writing.append(userStream(uid), answer);
        });
      }
    }
  }

  function requestStatus({ role, request }: Member): Promise<Result<Value<'rooms/requestStatus'>>> {
    const status = ownStatusOf(role, request);
    return Promise.resolve(status === null ? refuse('room/not-found') : accept({ status }));
  }

  async function answer(
    { room, write }: Member,
    { uid }: Payload<'rooms/acceptRequest'>,
    verdict: 'accepted' | 'rejected',
  ): Promise<Result<Nothing>> {
    const outcome = await write([hostStream(room.roomId), userStream(room.host), userStream(uid)], (writing) =>
      apply(deps, writing, room, uid, verdict),
    );
    return outcome.ok ? accept({}) : outcome;
  }

  return {
    handlers: {
      'rooms/askToJoin': askToJoin,
      'rooms/cancelRequest': cancelRequest,
      'rooms/requestStatus': requestStatus,
      'rooms/acceptRequest': (member, payload) => answer(member, payload, 'accepted'),
      'rooms/rejectRequest': (member, payload) => answer(member, payload, 'rejected'),
    } satisfies Partial<Handlers>,
    lapse,
  };
}

async function ask(
  deps: RequestsDeps,
  writing: Writing,
  { room, role, request }: Membership,
  uid: Uid,
): Promise<Result<Asked>> {
  const decision = decideAsk({
    role,
    request,
    participants: await countMembers(writing.db, room.kind, room.roomId),
    pending: (await pendingRequests(writing.db, room.kind, room.roomId, writing.nowMs)).length,
    nowMs: writing.nowMs,
  });
  if (decision.type === 'member') return accept({ code: room.code, status: 'member' });
  if (decision.type === 'same') return accept({ code: room.code, status: 'pending' });
  if (decision.type === 'refuse') {
    const retry = decision.retryAfterMs === undefined ? {} : { retryAfterMs: decision.retryAfterMs };
    return refuse(decision.code, retry);
  }
  const person = await deps.personOf(writing.db, uid);
  if (!person) return refuse('auth/required');
  const fact = {
    status: 'pending',
    askedAtMs: writing.nowMs,
    answeredAtMs: null,
    timesDeclined: request?.timesDeclined ?? 0,
  } as const;
  await saveRequest(writing.db, room.kind, room.roomId, person, fact);
  // A person whom the host has blocked waits like anyone else, so that the block is not revealed.
  if (!(await deps.isBlocked(writing.db, room.host, uid))) {
    await tellHost(writing, room, { uid, name: person.name, status: 'pending', askedAt: writing.nowMs });
    const { kind, code } = room;
    writing.afterCommit(() => deps.notify(room.host, { type: 'joinRequest', uid, name: person.name, kind, code }));
  }
  return accept({ code: room.code, status: 'pending' });
}

async function apply(deps: RequestsDeps, writing: Writing, room: RoomRow, uid: Uid, verdict: 'accepted' | 'rejected') {
  const { kind, roomId } = room;
  const request = await requestOf(writing.db, kind, roomId, uid);
  const decision = decideAnswer(verdict, {
    isMember: await isMember(writing.db, kind, roomId, uid),
    request,
    participants: await countMembers(writing.db, kind, roomId),
    nowMs: writing.nowMs,
  });
  if (decision.type === 'same') return accept('same' as const);
  if (decision.type === 'refuse') return refuse(decision.code);
  const person = await deps.personOf(writing.db, uid);
  if (!person || !request) {
    await removeRequest(writing.db, kind, roomId, uid);
    await tellHost(writing, room, { uid, name: '', status: null, askedAt: request?.askedAtMs ?? writing.nowMs });
    return refuse('access/not-found');
  }
  const now = answered(request, verdict, writing.nowMs);
  await saveRequest(writing.db, kind, roomId, person, now);
  await tellHost(writing, room, { uid, name: person.name, status: verdict, askedAt: request.askedAtMs });
  if (verdict === 'accepted') {
    await addMember(writing.db, kind, roomId, uid, writing.nowMs);
    await writing.append(roomStream(roomId), { type: 'rooms/participantJoined', participant: person });
    await deps.meet(writing, kind, room.host, uid);
  }
  const answer = isDeclinedForGood(now) ? 'rejected-for-good' : verdict;
  await writing.append(userStream(uid), { type: 'rooms/requestAnswered', kind, code: room.code, answer });
  deps.log.info({ kind, roomId, verdict }, 'room.request-answered');
  return accept('applied' as const);
}

async function tellHost(
  writing: Writing,
  room: RoomRow,
  request: { uid: Uid; name: string; status: 'pending' | 'accepted' | 'rejected' | null; askedAt: number },
): Promise<void> {
  await writing.append(hostStream(room.roomId), { type: 'rooms/requestChanged', request });
}

/** A request that ended without the host's answer. */
async function close(
  writing: Writing,
  room: RoomRow,
  uid: Uid,
  request: RequestFact,
  status: 'withdrawn' | 'lapsed',
): Promise<void> {
  await setRequestStatus(writing.db, room.kind, room.roomId, uid, status);
  await tellHost(writing, room, { uid, name: '', status: null, askedAt: request.askedAtMs });
}

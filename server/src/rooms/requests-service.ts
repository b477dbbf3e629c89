/**
 * Asking to join and the host's answer. Accepting is one transaction: status, seat, both people's lists (JOIN-3). The first
 * of two competing answers wins.
 */
import {
  answered,
  decideAnswer,
  decideAsk,
  isDeclinedForGood,
  ownStatusOf,
  refusalFor,
  type RequestFact,
} from '@tunemate/domain';
import {
  type ErrorCode,
  ownStream,
  type Payload,
  roomKinds,
  roomStream,
  type Uid,
  type Value,
} from '@tunemate/protocol';
import { accept, type Clock, type Log, type Notify, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import {
  pendingRequests,
  removeRequest,
  requestOf,
  overdueRequests,
  saveRequest,
  setRequestStatus,
} from './requests-store.ts';
import { addSeat, countSeats, hasSeat, type RoomRow } from './rooms-store.ts';
import { check, type Standing, standingAgain, standingByCode } from './standing.ts';

export interface RequestsDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** Null for an account that is gone. Presence included, as participants show it. */
  personOf: (db: Writing['db'], uid: Uid) => Promise<{ uid: Uid; name: string; online: boolean } | null>;
  /** Grows both people's lists of this kind inside the transaction. */
  meet: (writing: Writing, kind: RoomRow['kind'], a: Uid, b: Uid) => Promise<void>;
  isBlocked: (db: Writing['db'], by: Uid, whom: Uid) => Promise<boolean>;
  /** The bucket of one room (1/s, burst 20); per-person limits are the dispatcher's. */
  takeFromRoom: (roomId: string) => Promise<Outcome<unknown>>;
  notify: Notify;
}

type Nothing = Record<string, never>;
type Asked = Value<'rooms/askToJoin'>;

export function requestsService(deps: RequestsDeps) {
  const { record, clock, log } = deps;

  const standingOf = (caller: Caller, { kind, code }: { kind: RoomRow['kind']; code: string }) =>
    standingByCode(record.db, kind, code, caller.uid, clock.now());

  async function askToJoin(caller: Caller, payload: Payload<'rooms/askToJoin'>): Promise<Outcome<Asked>> {
    const standing = await standingOf(caller, payload);
    if (!standing?.room.isActive) return refuse(refusalOfGone(standing));
    const { room } = standing;
    if (standing.role === 'host' || standing.role === 'participant') {
      return accept({ code: room.code, status: 'member' });
    }
    if (standing.role !== 'pending') {
      const taken = await deps.takeFromRoom(room.roomId);
      if (!taken.ok) return taken;
    }
    return await record.write([roomStream(room.roomId), ownStream(room.host)], async (writing) => {
      const again = await standingAgain(writing.db, room, caller.uid, writing.nowMs);
      if (!again?.room.isActive) return refuse(refusalOfGone(again));
      return await ask(writing, again, caller.uid);
    });
  }

  async function ask(writing: Writing, standing: Standing, uid: Uid): Promise<Outcome<Asked>> {
    const { room, role, request } = standing;
    const decision = decideAsk({
      role,
      request,
      participants: await countSeats(writing.db, room.kind, room.roomId),
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
    // Someone the host has blocked waits like anyone else and is never told why nobody answers.
    if (!(await deps.isBlocked(writing.db, room.host, uid))) {
      await tellHost(writing, room, { uid, name: person.name, status: 'pending', askedAt: writing.nowMs });
      const { kind, code } = room;
      writing.afterCommit(() => deps.notify(room.host, { type: 'joinRequest', uid, name: person.name, kind, code }));
    }
    return accept({ code: room.code, status: 'pending' });
  }

  async function tellHost(
    writing: Writing,
    room: RoomRow,
    request: { uid: Uid; name: string; status: 'pending' | 'accepted' | 'rejected' | null; askedAt: number },
  ): Promise<void> {
    await writing.append(ownStream(room.host), { type: 'rooms/requestChanged', roomId: room.roomId, request });
  }

  async function cancelRequest(caller: Caller, payload: Payload<'rooms/cancelRequest'>): Promise<Outcome<Nothing>> {
    const first = check(await standingOf(caller, payload), 'requester');
    if ('ok' in first) return first;
    const { room } = first.standing;
    return await record.write([roomStream(room.roomId), ownStream(room.host)], async (writing) => {
      const again = check(await standingAgain(writing.db, room, caller.uid, writing.nowMs), 'requester');
      if ('ok' in again) return again;
      // The host was faster.
      if (again.standing.role !== 'pending' || !again.standing.request) return refuse('room/request-resolved');
      // The row stays: how often the host declined must not be forgotten by withdrawing.
      await close(writing, room, caller.uid, again.standing.request, 'withdrawn');
      return accept({});
    });
  }

  /** A request that waits no longer, though the host has not answered it. */
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

  /** Both sides learn of requests that nobody answered in half an hour. Runs on a timer in every process. */
  async function lapse(): Promise<void> {
    for (const kind of roomKinds) {
      for (const { room, uid } of await overdueRequests(record.db, kind, clock.now())) {
        const streams = [roomStream(room.roomId), ownStream(room.host), ownStream(uid)];
        await record.write(streams, async (writing) => {
          const again = await standingAgain(writing.db, room, uid, writing.nowMs);
          // Answered, withdrawn or asked anew meanwhile.
          if (again?.request?.status !== 'pending' || again.role === 'pending' || !again.room.isActive) return;
          await close(writing, room, uid, again.request, 'lapsed');
          const answer = { type: 'rooms/requestAnswered', kind, code: room.code, answer: 'lapsed' } as const;
          await writing.append(ownStream(uid), answer);
        });
      }
    }
  }

  async function requestStatus(
    caller: Caller,
    payload: Payload<'rooms/requestStatus'>,
  ): Promise<Outcome<Value<'rooms/requestStatus'>>> {
    const standing = await standingOf(caller, payload);
    if (!standing?.room.isActive) return refuse(refusalOfGone(standing));
    const status = ownStatusOf(standing.role, standing.request);
    return status === null ? refuse('room/not-found') : accept({ status });
  }

  function acceptRequest(caller: Caller, payload: Payload<'rooms/acceptRequest'>) {
    return answer(caller, payload, 'accepted');
  }

  function rejectRequest(caller: Caller, payload: Payload<'rooms/rejectRequest'>) {
    return answer(caller, payload, 'rejected');
  }

  async function answer(
    caller: Caller,
    payload: Payload<'rooms/acceptRequest'>,
    verdict: 'accepted' | 'rejected',
  ): Promise<Outcome<Nothing>> {
    const first = check(await standingOf(caller, payload), 'host');
    if ('ok' in first) return first;
    const { room } = first.standing;
    const streams = [roomStream(room.roomId), ownStream(room.host), ownStream(payload.uid)];
    const outcome = await record.write(streams, async (writing) => {
      const again = check(await standingAgain(writing.db, room, caller.uid, writing.nowMs), 'host');
      if ('ok' in again) return again;
      return await apply(writing, room, payload.uid, verdict);
    });
    return outcome.ok ? accept({}) : outcome;
  }

  async function apply(writing: Writing, room: RoomRow, uid: Uid, verdict: 'accepted' | 'rejected') {
    const { kind, roomId } = room;
    const request = await requestOf(writing.db, kind, roomId, uid);
    const decision = decideAnswer(verdict, {
      hasSeat: await hasSeat(writing.db, kind, roomId, uid),
      request,
      participants: await countSeats(writing.db, kind, roomId),
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
      await addSeat(writing.db, kind, roomId, uid, writing.nowMs);
      await writing.append(roomStream(roomId), { type: 'rooms/participantJoined', participant: person });
      await deps.meet(writing, kind, room.host, uid);
    }
    const answer = isDeclinedForGood(now) ? 'rejected-for-good' : verdict;
    await writing.append(ownStream(uid), { type: 'rooms/requestAnswered', kind, code: room.code, answer });
    log.info({ kind, roomId, verdict }, 'room.request-answered');
    return accept('applied' as const);
  }

  return { askToJoin, lapse, cancelRequest, requestStatus, acceptRequest, rejectRequest };
}
export type RequestsService = ReturnType<typeof requestsService>;

/** Whoever was inside or waiting learns that the room ended; for anyone else it never was. */
function refusalOfGone(standing: Standing | null): ErrorCode {
  return (standing && refusalFor('requester', standing.role, false)) ?? 'room/not-found';
}

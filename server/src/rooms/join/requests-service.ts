/**
 * Requests to join, as those who wait make, renew and withdraw them. Whoever comes in by themselves does so in the write
 * of their asking, so that a change of the host's switch is before or after it and never in between.
 */
import { comesInByThemselves, decideAsk, ownStatusOf } from '@tunemate/domain';
import { hostStream, type Result, roomKinds, roomStream, type Uid, userStream, type Value } from '@tunemate/protocol';
import type { Handlers, Member, Membership, RoomStreams } from '../../access/subjects.ts';
import { isFriend } from '../../people/ties.ts';
import { accept, type Clock, type Log, type Notify, refuse } from '../../system/ports.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import { applicantOf } from './applicant-store.ts';
import { hideRequest } from './hidden-request.ts';
import { admit, type AdmitDeps } from './admit.ts';
import { membershipAgain } from '../members/membership.ts';
import { lapseRequest, overdueRequests, renewRequest, saveRequest, setRequestStatus } from './requests-store.ts';

export interface RequestsDeps extends AdmitDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** The bucket of one room (1/s, burst 20); per-person limits are the dispatcher's. */
  takeFromRoom: (roomId: string) => Promise<Result<unknown>>;
  notify: Notify;
}

type Nothing = Record<string, never>;
type Asked = Value<'rooms/askToJoin'>;

export function requestsService(deps: RequestsDeps) {
  const { record, clock } = deps;

  const askToJoin = ({ caller, read, write }: Member) =>
    read(async ({ room, role }): Promise<Result<Asked>> => {
      if (role === 'host' || role === 'participant') return accept({ code: room.code, status: 'member' });
      if (role !== 'pending') {
        const taken = await deps.takeFromRoom(room.roomId);
        if (!taken.ok) return taken;
      }
      for (let { host } = room; ;) {
        const streams = [hostStream(room.roomId), userStream(host), userStream(caller.uid)];
        const outcome = await write(streams, async (writing, now): Promise<Result<Asked | { host: Uid }>> => {
          // Handed over before this write: it needs the stream of the host of now.
          if (now.room.host !== host) return accept({ host: now.room.host });
          return await ask(deps, writing, now, caller.uid);
        });
        if (!outcome.ok || 'status' in outcome.value) return outcome as Result<Asked>;
        ({ host } = outcome.value);
      }
    });

  async function cancelRequest({ caller, write }: Member): Promise<Result<Nothing>> {
    const streams: RoomStreams = ({ roomId }) => [hostStream(roomId)];
    return await write(streams, async (writing, { room, role, request }) => {
      // The host has answered already.
      if (role !== 'pending' || !request) return refuse('room/request-resolved');
      // The row stays, so that withdrawing does not reset how often the host declined.
      await setRequestStatus(writing.db, room.kind, room.roomId, caller.uid, 'withdrawn');
      await hideRequest(writing, room.roomId, caller.uid, request.askedAtMs);
      return accept({});
    });
  }

  /** Ends requests whose page has been gone for a minute, and notifies both sides. Runs on a timer. */
  async function lapse(): Promise<void> {
    for (const kind of roomKinds) {
      for (const { room, uid } of await overdueRequests(record.db, kind, clock.now())) {
        const streams = [roomStream(room.roomId), hostStream(room.roomId), userStream(uid)];
        await record.write(streams, async (writing) => {
          const again = await membershipAgain(writing.db, room, uid, writing.nowMs);
          if (!again?.room.isActive || !again.request) return;
          if (!(await lapseRequest(writing.db, kind, room.roomId, uid, writing.nowMs))) return;
          await hideRequest(writing, room.roomId, uid, again.request.askedAtMs);
          const answer = { type: 'rooms/requestAnswered', kind, code: room.code, answer: 'lapsed' } as const;
          await writing.append(userStream(uid), answer);
        });
      }
    }
  }

  const renew = ({ caller, read }: Member) =>
    read(async ({ room, role, request }): Promise<Result<Value<'rooms/renewRequest'>>> => {
      if (role !== 'pending') return ownStatus(role, request);
      const isWaiting = await renewRequest(record.db, room.kind, room.roomId, caller.uid, clock.now());
      // It may have been answered since the membership was read.
      return isWaiting ? accept({ status: 'pending' }) : await read((now) => ownStatus(now.role, now.request));
    });

  return {
    handlers: {
      'rooms/askToJoin': askToJoin,
      'rooms/cancelRequest': cancelRequest,
      'rooms/renewRequest': renew,
    } satisfies Partial<Handlers>,
    lapse,
  };
}

function ownStatus(role: Membership['role'], request: Membership['request']) {
  const status = ownStatusOf(role, request);
  return status === null ? refuse('room/not-found') : accept({ status });
}

async function ask(
  deps: RequestsDeps,
  writing: Writing,
  { room, role, request }: Membership,
  uid: Uid,
): Promise<Result<Asked>> {
  const { kind, code, roomId, host } = room;
  const { db, nowMs } = writing;
  const applicant = await applicantOf(db, room, uid, nowMs);
  const { person, isBlocked, hasBlocked, invitedAtMs, participants, pending } = applicant;
  const isFriendOfHost = room.admits === 'friends' && (await isFriend(db, host, uid));
  const comesIn = comesInByThemselves({ admits: room.admits, isFriend: isFriendOfHost, invitedAtMs, isBlocked, nowMs });
  const { isLocked } = room;
  const decision = decideAsk({ role, request, isLocked, comesIn, invitedAtMs, participants, pending, nowMs });
  if (decision.type === 'member') return accept({ code, status: 'member' });
  if (decision.type === 'same') {
    // The page that waits now may be another one than the page that renewed it last.
    await renewRequest(db, kind, roomId, uid, nowMs);
    return accept({ code, status: 'pending' });
  }
  if (decision.type === 'refuse') {
    const retry = decision.retryAfterMs === undefined ? {} : { retryAfterMs: decision.retryAfterMs };
    return refuse(decision.code, retry);
  }
  if (!person) return refuse('auth/required');
  const [askedAtMs, timesDeclined] = [writing.nowMs, request?.timesDeclined ?? 0];
  const fact = { askedAtMs, renewedAtMs: askedAtMs, timesDeclined };
  if (decision.type === 'admit') {
    const admitted = { ...fact, status: 'accepted', answeredAtMs: writing.nowMs } as const;
    const people = participants + 1;
    await admit(deps, writing, room, person, { request: admitted, isUnasked: true, hasBlocked, people });
    deps.log.info({ kind, roomId, admits: room.admits }, 'room.came-in');
    return accept({ code, status: 'member' });
  }
  await saveRequest(writing.db, kind, roomId, person, { ...fact, status: 'pending', answeredAtMs: null });
  // A person whom the host has blocked waits like anyone else, so that the block is not revealed.
  if (!isBlocked) {
    const shown = { uid, name: person.name, status: 'pending', askedAt: askedAtMs } as const;
    await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request: shown });
    writing.afterCommit(() => deps.notify(host, { type: 'joinRequest', uid, name: person.name, kind, code }));
  }
  return accept({ code, status: 'pending' });
}

/**
 * Requests to join a room: guests make, renew and withdraw them, and the host answers, one or all at once. Of two
 * competing answers the first wins. A guest who enters without an answer does so in the write of their request, so that
 * a change of the host's switch is before or after it and never in between.
 */
import {
  answered,
  comesInByThemselves,
  decideAnswer,
  decideAsk,
  isDeclinedForGood,
  isLargeRoom,
  ownStatusOf,
  type RequestFact,
} from '@tunemate/domain';
import {
  hostStream,
  type Participant,
  type Payload,
  type Result,
  type RoomId,
  roomKinds,
  roomStream,
  type Uid,
  userStream,
  type Value,
} from '@tunemate/protocol';
import type { Limits } from '../../access/limits.ts';
import type { Handlers, Member, Membership, RoomRow, RoomStreams } from '../../access/subjects.ts';
import { isFriend } from '../../people/ties.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import type { Db, RoomRef } from '../../storage/schema.ts';
import { connect, type Dropped } from '../../tunemates/tunemates.ts';
import { accept, type Clock, type Log, type Nothing, type Notify, refuse } from '../../system/ports.ts';
import { addMember, countMembers } from '../lifecycle/rooms-store.ts';
import { membershipAgain } from '../members/membership.ts';
import {
  applicantOf,
  lapseRequest,
  overdueRequests,
  pendingRequests,
  removeRequest,
  renewRequest,
  saveRequest,
  setRequestStatus,
} from './join-requests-store.ts';

interface JoinRequestsDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** For those of one room; per-person limits are the dispatcher's. */
  limits: Pick<Limits, 'take'>;
  notify: Notify;
  /** How many people the operator allows in a room. */
  peoplePerRoom: number;
  hearing: { dropped: Dropped };
}

type Asked = Value<'rooms/askToJoin'>;

export function joinRequestsService(deps: JoinRequestsDeps) {
  const { record, clock } = deps;

  const askToJoin = ({ caller, read, write }: Member) =>
    read(async ({ room, role }): Promise<Result<Asked>> => {
      if (role === 'host' || role === 'participant') return accept({ code: room.code, status: 'member' });
      if (role !== 'pending') {
        const taken = await deps.limits.take('roomRequests', room.roomId);
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
      await setRequestStatus(writing.db, room, caller.uid, 'withdrawn');
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
          if (!(await lapseRequest(writing.db, room, uid, writing.nowMs))) return;
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
      const isWaiting = await renewRequest(record.db, room, caller.uid, clock.now());
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
  deps: JoinRequestsDeps,
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
  const decision = decideAsk({
    role,
    request,
    isLocked,
    comesIn,
    invitedAtMs,
    participants,
    pending,
    most: deps.peoplePerRoom,
    nowMs,
  });
  if (decision.type === 'member') return accept({ code, status: 'member' });
  if (decision.type === 'same') {
    // The page that waits now may be another one than the page that renewed it last.
    await renewRequest(db, room, uid, nowMs);
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
  await saveRequest(writing.db, room, person, { ...fact, status: 'pending', answeredAtMs: null });
  // A person whom the host has blocked waits like all others, so that the block is not revealed.
  if (!isBlocked) {
    const shown = { uid, name: person.name, status: 'pending', askedAt: askedAtMs } as const;
    await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request: shown });
    writing.afterCommit(() => deps.notify(host, { type: 'joinRequest', uid, name: person.name, kind, code }));
  }
  return accept({ code, status: 'pending' });
}

type Verdict = 'accepted' | 'rejected';
type AnswerDeps = Pick<JoinRequestsDeps, 'hearing' | 'clock' | 'log' | 'peoplePerRoom'>;

/** Of many that are accepted by one press, so many in one write: on SQLite others are served only between writes. */
const acceptedAtOnce = 10;

export function joinAnswersService(deps: AnswerDeps) {
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

  /** Accepts the users whom the host saw, and no later request. A repetition finds them inside. */
  async function acceptAll(
    member: Member,
    { uids }: Payload<'rooms/acceptAll'>,
  ): Promise<Result<Value<'rooms/acceptAll'>>> {
    const tried = new Set<Uid>();
    let before: Value<'rooms/acceptAll'> | null = null;
    for (;;) {
      const outcome = await acceptSome(member, uids, tried);
      // The room was handed over or ended meanwhile: the answer says who came in until then.
      if (!outcome.ok) return before === null ? outcome : accept(before);
      const { inside, isFull, now } = outcome.value;
      before = { inside, isFull };
      if (isFull || now.length < acceptedAtOnce) return accept(before);
      now.forEach((uid) => tried.add(uid));
    }
  }

  /** Accepts the next of `uids`, in the order in which they asked; `tried` are those of the writes before. */
  async function acceptSome({ caller, write }: Member, uids: readonly Uid[], tried: ReadonlySet<Uid>) {
    const next = async (db: Db, room: RoomRef) =>
      (await pendingRequests(db, room, deps.clock.now()))
        .filter(({ uid }) => uids.includes(uid) && !tried.has(uid))
        .slice(0, acceptedAtOnce);
    const streamsOf: RoomStreams = async (room, db) => [
      hostStream(room.roomId),
      userStream(caller.uid),
      ...(await next(db, room)).map(({ uid }) => userStream(uid)),
    ];
    return await write(streamsOf, async (writing, { room }) => {
      const now: Uid[] = [];
      let isFull = false;
      for (const { uid } of await next(writing.db, room)) {
        const outcome = await apply(deps, writing, room, uid, 'accepted');
        isFull ||= !outcome.ok && outcome.error.code === 'room/full';
        if (isFull) break;
        now.push(uid);
      }
      return accept({ inside: await countMembers(writing.db, room, uids), isFull, now });
    });
  }

  return {
    handlers: {
      'rooms/acceptRequest': (member, payload) => answer(member, payload, 'accepted'),
      'rooms/rejectRequest': (member, payload) => answer(member, payload, 'rejected'),
      'rooms/acceptAll': acceptAll,
    } satisfies Partial<Handlers>,
  };
}

async function apply(deps: AnswerDeps, writing: Writing, room: RoomRow, uid: Uid, verdict: Verdict) {
  const { kind, roomId } = room;
  const { person, request, isBlocked, hasBlocked, ...facts } = await applicantOf(writing.db, room, uid, writing.nowMs);
  const decision = decideAnswer(verdict, { ...facts, request, most: deps.peoplePerRoom, nowMs: writing.nowMs });
  if (decision.type === 'same') return accept('same' as const);
  if (decision.type === 'refuse') return refuse(decision.code);
  // To the host, a blocked person has no request.
  if (isBlocked) return refuse('access/not-found');
  if (!person || !request) {
    await removeRequest(writing.db, room, uid);
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
  room: RoomRow,
  { uid, name }: { uid: Uid; name: string },
  request: ReturnType<typeof answered>,
): Promise<void> {
  const { kind, roomId, code } = room;
  await saveRequest(writing.db, room, { uid, name }, request);
  const shown = { uid, name, status: 'rejected', askedAt: request.askedAtMs } as const;
  await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request: shown });
  const answer = isDeclinedForGood(request) ? 'rejected-for-good' : 'rejected';
  await writing.append(userStream(uid), { type: 'rooms/requestAnswered', kind, code, answer });
}

interface Admittance {
  /** As it is stored from now on. */
  request: RequestFact;
  /** The host did not approve this one. */
  isUnasked: boolean;
  /** They have blocked the host: a block by either of two people keeps both off the other's lists. */
  hasBlocked: boolean;
  /** How many are in the room with them. */
  people: number;
}

/**
 * Makes a person a participant, inside a write that holds the room's stream, its host's, and the own streams of the
 * host and of the person. Never for a person whom the host has blocked.
 */
async function admit(
  { hearing }: Pick<JoinRequestsDeps, 'hearing'>,
  writing: Writing,
  room: RoomRow,
  person: Participant,
  { request, isUnasked, hasBlocked, people }: Admittance,
): Promise<void> {
  const { kind, roomId, code, host } = room;
  const { uid, name } = person;
  await saveRequest(writing.db, room, person, request);
  const answered = { uid, name, status: 'accepted', askedAt: request.askedAtMs } as const;
  await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request: answered });
  if (isUnasked) await writing.append(hostStream(roomId), { type: 'rooms/cameIn', uid, name });
  await addMember(writing.db, room, uid, writing.nowMs);
  const joined = isLargeRoom(people)
    ? ({ type: 'rooms/headCount', people } as const)
    : ({ type: 'rooms/participantJoined', participant: person, people } as const);
  await writing.append(roomStream(roomId), joined);
  if (!hasBlocked) await connect(writing, kind, host, uid, hearing.dropped);
  await writing.append(userStream(uid), { type: 'rooms/requestAnswered', kind, code, answer: 'accepted' });
}

/**
 * A request leaves the host's list without an answer. It has no name: the person may be gone, or hidden from the host.
 */
export async function hideRequest(writing: Writing, roomId: RoomId, uid: Uid, askedAt: number): Promise<void> {
  const request = { uid, name: '', status: null, askedAt };
  await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request });
}

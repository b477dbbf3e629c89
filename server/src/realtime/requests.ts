/**
 * What every socket request passes through, as its declaration in the protocol says: known name, checked payload, limit,
 * permission, handler, answer. It knows no socket, no room and no chat. A refusal is a value; a Failure becomes its code;
 * any other error is a bug, logged by name and answered without detail.
 */
import {
  type ErrorCode,
  type LimitName,
  type Payload,
  type Refusal,
  type RequestDeclaration,
  type RequestName,
  type Result,
  socketRequests,
  type Value,
} from '@tunemate/protocol';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Caller } from '../access/caller.ts';
import { isWithinJsonLimits, type Limits } from '../access/limits.ts';
import type { Handlers, Member, Pair, Subjects } from '../access/subjects.ts';
import { asFailure } from '../storage/failures.ts';
import { accept, Failure, type Log, refuse, systemCode } from '../system/ports.ts';

/** Takes one token from the bucket of this request. */
type TakeLimit = (caller: Caller, name: RequestName, payload: unknown) => Promise<Result<unknown>>;

interface Answer {
  result: Result<unknown>;
  /** The request violates the protocol, not only a rule: three violations end the connection. */
  isViolation: boolean;
}

export type Dispatch = (caller: Caller, name: string, payload: unknown) => Promise<Answer>;

/** Notes how one request was answered, after so many milliseconds. */
export type NoteAnswer = (name: RequestName, result: Result<unknown>, tookMs: number) => void;

interface DispatcherDeps {
  /** The handlers behind the declarations. */
  answers: Answers;
  takeLimit: TakeLimit;
  /** The refusal to send instead: some limits count only refused requests. */
  afterRefusal: (caller: Caller, name: RequestName, refusal: Refusal) => Promise<Refusal>;
  log: Log;
  noteAnswer?: NoteAnswer;
}

const invalid = (isViolation: boolean): Answer => ({
  result: { ok: false, error: { code: 'input/invalid' } },
  isViolation,
});

export function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(socketRequests, name);
}

/** Throws unless every declared request has a handler, and every handler a declaration. */
export function assertComplete(handlers: object, declared: object = socketRequests): void {
  for (const [names, table, what] of [
    [handlers, declared, 'in the protocol'],
    [declared, handlers, 'answered by a handler'],
  ] as const) {
    const missing = Object.keys(names).filter((name) => !Object.hasOwn(table, name));
    if (missing.length > 0) throw new Error(`not ${what}: ${missing.join(', ')}`);
  }
}

/**
 * The code that a thrown error is answered with. It is logged: as a warning for a Failure, else as an error.
 */
export function codeOfFailure(thrown: unknown, fields: object, log: Log): ErrorCode {
  const error = asFailure(thrown);
  if (error instanceof Failure) {
    const code = systemCode(error.cause);
    log.warn({ ...fields, event: error.message, ...(code !== '' && { code }) }, 'request.unavailable');
    return error.code;
  }
  log.error({ ...fields, err: error }, 'request.failed');
  return 'server/failed';
}

export function dispatcher({ answers, takeLimit, afterRefusal, log, noteAnswer }: DispatcherDeps): Dispatch {
  assertComplete(answers);
  async function run(caller: Caller, name: RequestName, payload: unknown): Promise<Answer> {
    if (!isWithinJsonLimits(payload)) return invalid(false);
    const read = socketRequests[name].payload.safeParse(payload);
    if (!read.success) return invalid(false);
    const taken = await takeLimit(caller, name, read.data);
    if (!taken.ok) return { result: taken, isViolation: false };
    // The schema and the handler belong to the same name.
    const answer = answers[name] as (caller: Caller, payload: unknown) => Promise<Result<unknown>>;
    const outcome = await answer(caller, read.data);
    if (outcome.ok) return { result: outcome, isViolation: false };
    return { result: { ok: false, error: await afterRefusal(caller, name, outcome.error) }, isViolation: false };
  }

  return async (caller, name, payload) => {
    if (!isRequestName(name)) return invalid(true);
    const startedMs = performance.now();
    const answer = await run(caller, name, payload).catch((thrown: unknown) => ({
      result: refuse(codeOfFailure(thrown, { name }, log)),
      isViolation: false,
    }));
    noteAnswer?.(name, answer.result, performance.now() - startedMs);
    return answer;
  };
}

/**
 * Requests with which codes can be guessed. Their limit on misses is checked first: while it is used up, a right code
 * must get the same answer as a wrong one.
 */
const probing = new Set<RequestName>(['rooms/lookUp', 'rooms/askToJoin']);
/** Refusals that count as a miss. Members and hosts have none, because their rooms do not refuse them. */
const misses = new Set<Refusal['code']>(['room/not-found', 'room/not-member']);
/** Counted for each room of a person: all tabs of a host share them. */
const perRoom = new Set<LimitName>(['playback', 'playbackBytes', 'orders']);

/** The bytes that one write stores beside its payload: an entry, a kept answer, and their index entries. */
const bytesOfAnyWrite = 512;

/** A list of tracks counts as if each track were enqueued alone: the server adds to each when it stores them. */
function bytesOf(payload: unknown): number {
  const { intent, ...rest } = payload as Partial<Payload<'playback/write'>>;
  if (intent?.type !== 'enqueueAll') return bytesOfAnyWrite + Buffer.byteLength(JSON.stringify(payload));
  const singles = intent.items.map((track) => ({ ...rest, intent: { type: 'enqueue', track } }));
  return singles.reduce((sum, single) => sum + bytesOf(single), 0);
}

function keyOf(caller: Caller, limit: LimitName, payload: unknown): string {
  if (!perRoom.has(limit)) return caller.uid;
  const { kind, code } = payload as { kind: string; code: string };
  // The person is part of the key, so that other people can't use up the share of a room.
  return `${caller.uid}:${kind}:${code}`;
}

/** Read only, or bounded by themselves: messages by `chat`, typing by pairs, and blocking must not be refused. */
const countedOtherwise = new Set<RequestName>(['chats/open', 'chats/send', 'chats/typing', 'chats/block']);

/** Whom the request does something to. */
function personNamed(name: RequestName, payload: unknown): string | null {
  if (countedOtherwise.has(name)) return null;
  const { uid } = payload as { uid?: unknown };
  return typeof uid === 'string' ? uid : null;
}

/** The buckets of a request, and the limit on guessing the codes of rooms. */
export function requestLimits(limits: Limits) {
  const missBuckets = (caller: Caller) =>
    [
      ['lookUpMisses', caller.uid],
      ['lookUpMissesIp', caller.address],
    ] as const;

  async function takeLimit(caller: Caller, name: RequestName, payload: unknown): Promise<Result<unknown>> {
    const row: RequestDeclaration = socketRequests[name];
    if (probing.has(name)) {
      for (const [bucket, key] of missBuckets(caller)) {
        const peeked = await limits.peek(bucket, key);
        if (!peeked.ok) return peeked;
      }
    }
    if (name === 'clock/probe') return accept({});
    const taken = await limits.take(row.limit, keyOf(caller, row.limit, payload));
    const other = taken.ok ? personNamed(name, payload) : null;
    const mayReach = other === null ? taken : await limits.take('pair', `${caller.uid}>${other}`);
    if (!mayReach.ok || !row.budget) return mayReach;
    return await limits.take(row.budget, keyOf(caller, row.budget, payload), bytesOf(payload));
  }

  /** The refusal that the caller gets instead of this one. */
  async function afterRefusal(caller: Caller, name: RequestName, refusal: Refusal): Promise<Refusal> {
    const row: RequestDeclaration = socketRequests[name];
    if (row.needs?.room === undefined || !misses.has(refusal.code)) return refusal;
    for (const [bucket, key] of missBuckets(caller)) {
      const taken = await limits.take(bucket, key);
      if (!taken.ok) return taken.error;
    }
    return refusal;
  }

  return { takeLimit, afterRefusal };
}

/** The handlers behind the declarations, each taking the caller and the payload. */
export type Answers<Names extends RequestName = RequestName> = {
  [Name in Names]: (caller: Caller, payload: Payload<Name>) => Promise<Result<Value<Name>>>;
};

type Subject = Member | Pair | Caller;
type AnyHandler = (subject: Subject, payload: unknown) => Promise<Result<unknown>>;

/** Gives each handler the room, person or chat that its request names, as a subject that refuses what may not be. */
export function authorized<Names extends RequestName>(
  handlers: Pick<Handlers, Names>,
  subjects: Subjects,
): Answers<Names> {
  const guard = (name: RequestName, handler: AnyHandler) => {
    const row: RequestDeclaration = socketRequests[name];
    return async (caller: Caller, payload: unknown): Promise<Result<unknown>> => {
      const subject = await subjectOf(row, subjects, caller, payload);
      const outcome = subject.ok ? await handler(subject.value, payload) : subject;
      // Only such a row gives a member.
      const isUnchecked = row.needs?.room !== undefined && subject.ok && !(subject.value as Member).isChecked();
      if (outcome.ok && isUnchecked) throw new Error(`${name} was answered without a look at the right of the caller`);
      const instead = outcome.ok ? undefined : row.refusesWith?.[outcome.error.code];
      return instead === undefined ? outcome : refuse(instead);
    };
  };
  const entries = Object.entries<AnyHandler>(handlers as Record<Names, AnyHandler>);
  // Each name keeps its own handler, and the payload has been checked against the schema of that name.
  return Object.fromEntries(
    entries.map(([name, handler]) => [name, guard(name as RequestName, handler)]),
  ) as Answers<Names>;
}

async function subjectOf(
  { needs = {} }: RequestDeclaration,
  subjects: Subjects,
  caller: Caller,
  payload: unknown,
): Promise<Result<Subject>> {
  if (needs.room !== undefined) return accept(subjects.room(caller, payload as Payload<'rooms/enter'>, needs.room));
  if (needs.person !== undefined) return await subjects.person(caller, (payload as Payload<'chats/block'>).uid);
  if (needs.chat !== undefined) return await subjects.chat(caller, (payload as Payload<'chats/mark'>).pairId);
  return accept(caller);
}

/** How requests went, for Prometheus. */
export function answerMetrics(registry: Registry): NoteAnswer {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'tunemate_socket_request_seconds',
    help: 'How long requests over the socket took, by name.',
    labelNames: ['request'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const refusals = new Counter({
    name: 'tunemate_socket_refusals_total',
    help: 'Refused requests over the socket, by code.',
    labelNames: ['code'],
    registers,
  });
  return (request, result, tookMs) => {
    seconds.observe({ request }, tookMs / 1000);
    if (!result.ok) refusals.inc({ code: result.error.code });
  };
}

/**
 * Dispatches every socket request: known name, checked payload, limit, permission, handler, answer. It knows no socket.
 * A refusal is a value; a Failure becomes its code; any other error is a bug, logged by name and answered without
 * detail.
 */
import { type ErrorCode, type Refusal, type RequestName, type Result, socketRequests } from '@tunemate/protocol';
import type { Answers } from '../access/authorize.ts';
import { socketAccess } from '../access/table.ts';
import { Failure, type Log, refuse } from '../system/ports.ts';
import { asFailure } from '../storage/failures.ts';
import type { Caller } from '../access/caller.ts';
import { isWithinJsonLimits } from './json-limits.ts';
import type { NoteAnswer } from './live-metrics.ts';

/** Takes one token from the bucket of this request. */
export type TakeLimit = (caller: Caller, name: RequestName, payload: unknown) => Promise<Result<unknown>>;

export interface Answer {
  result: Result<unknown>;
  /** The request violates the protocol, not only a rule: three violations end the connection. */
  isViolation: boolean;
}

export type Dispatch = (caller: Caller, name: string, payload: unknown) => Promise<Answer>;

export interface DispatcherDeps {
  /** The handlers behind the access table. */
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

function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(socketRequests, name);
}

/**
 * Throws unless the handlers, the protocol and the access table name the same requests: a request without a row can't
 * be asked, and what was ruled on is answered.
 */
export function assertComplete(
  handlers: object,
  { requests = socketRequests, access = socketAccess }: { requests?: object; access?: object } = {},
): void {
  const names = new Set([handlers, requests, access].flatMap((table) => Object.keys(table)));
  for (const [table, what] of [
    [requests, 'in the protocol'],
    [access, 'in the access table'],
    [handlers, 'answered by a handler'],
  ] as const) {
    const missing = [...names].filter((name) => !Object.hasOwn(table, name));
    if (missing.length > 0) throw new Error(`not ${what}: ${missing.join(', ')}`);
  }
}

/**
 * The code that a thrown error is answered with. It is logged: as a warning for a Failure, else as an error.
 */
export function codeOfFailure(thrown: unknown, fields: object, log: Log): ErrorCode {
  const error = asFailure(thrown);
  if (error instanceof Failure) {
    log.warn({ ...fields, event: error.message }, 'request.unavailable');
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

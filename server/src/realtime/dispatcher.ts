/**
 * One way in for every socket request: known name, checked payload, limit, right to it, handler, answer. Knows no socket. A refusal is
 * a value; a Failure becomes its code; anything else is a bug, logged by name and answered without detail.
 */
import { type ErrorCode, type Refusal, type RequestName, type Result, socketRequests } from '@tunemate/protocol';
import type { Answers } from '../access/authorize.ts';
import { socketAccess } from '../access/table.ts';
import { Failure, type Log, type Outcome, refuse } from '../ports.ts';
import { asFailure } from '../storage/failures.ts';
import type { Caller } from './caller.ts';
import { isWithinJsonLimits } from './json-limits.ts';

/** Takes one token of the bucket that this request draws from. */
export type TakeLimit = (caller: Caller, name: RequestName, payload: unknown) => Promise<Outcome<unknown>>;

export interface Answer {
  result: Result<unknown>;
  /** The sender broke the protocol itself, not only a rule: three of these end the connection. */
  isViolation: boolean;
}

export type Dispatch = (caller: Caller, name: string, payload: unknown) => Promise<Answer>;

export interface DispatcherDeps {
  /** The handlers behind the access table. */
  answers: Answers;
  takeLimit: TakeLimit;
  /** What is told instead of a refusal: some limits count only misses. */
  afterRefusal: (caller: Caller, name: RequestName, refusal: Refusal) => Promise<Refusal>;
  log: Log;
}

const invalid = (isViolation: boolean): Answer => ({
  result: { ok: false, error: { code: 'input/invalid' } },
  isViolation,
});

function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(socketRequests, name);
}

/**
 * Throws unless the handlers, the protocol and the access table name the same requests: what nobody ruled on can't be
 * asked, and what was ruled on is answered.
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

/** What the asker is told of what was thrown, and the operator with it: a warning for the world's fault, else an error. */
export function codeOfFailure(thrown: unknown, fields: object, log: Log): ErrorCode {
  const error = asFailure(thrown);
  if (error instanceof Failure) {
    log.warn({ ...fields, event: error.message }, 'request.unavailable');
    return error.code;
  }
  log.error({ ...fields, err: error }, 'request.failed');
  return 'server/failed';
}

export function dispatcher({ answers, takeLimit, afterRefusal, log }: DispatcherDeps): Dispatch {
  assertComplete(answers);
  async function run(caller: Caller, name: RequestName, payload: unknown): Promise<Answer> {
    if (!isWithinJsonLimits(payload)) return invalid(false);
    const read = socketRequests[name].payload.safeParse(payload);
    if (!read.success) return invalid(false);
    const taken = await takeLimit(caller, name, read.data);
    if (!taken.ok) return { result: taken, isViolation: false };
    // Its schema was looked up by the same name as its handler.
    const answer = answers[name] as (caller: Caller, payload: unknown) => Promise<Outcome<unknown>>;
    const outcome = await answer(caller, read.data);
    if (outcome.ok) return { result: outcome, isViolation: false };
    return { result: { ok: false, error: await afterRefusal(caller, name, outcome.error) }, isViolation: false };
  }

  return async (caller, name, payload) => {
    if (!isRequestName(name)) return invalid(true);
    try {
      return await run(caller, name, payload);
    } catch (thrown) {
      return { result: refuse(codeOfFailure(thrown, { name }, log)), isViolation: false };
    }
  };
}

/**
 * One connection from its hello to its end: requests in order, protocol violations, its rate limit. The person is known
 * from the session alone. When the server closes the connection, waiting requests are dropped; when the client closes
 * it, they run.
 */
import {
  type ErrorCode,
  protocolVersion,
  type Refusal,
  type Result,
  socketRequests,
  type Uid,
} from '@tunemate/protocol';
import type { Caller, Ending } from '../access/caller.ts';
import { ConnectionRateLimit, isWithinJsonLimits } from '../access/limits.ts';
import { type Log, refuse, type Refused } from '../system/ports.ts';
import type { HelloAdmission } from './hello-admission.ts';
import { codeOfFailure, type Dispatch } from './requests.ts';
import { helloMs, type IoSocket } from './socket-server.ts';
import type { Turns } from './turns.ts';

export interface ConnectionDeps {
  dispatch: Dispatch;
  /** Answers a probe of the clock at once; null when it is not well-formed. */
  probe: (caller: Caller, payload: unknown) => Result<unknown> | null;
  log: Log;
  limitScale: number;
  /** Where a hello waits for its turn. */
  admission: HelloAdmission;
  /** Refuses a person who has too many connections already. */
  opened: (caller: Caller) => Promise<Result<unknown>>;
  /** Called for every connection that said a valid hello, whatever it was answered. */
  closed: (caller: Caller, ending: Ending) => Promise<void>;
}

const violationsToClose = 3;
/** Requests that wait for their turn: behind a slow database, or because the peer does not read. */
const maxWaitingRequests = 100;
/** Why the server closes connections that it would accept a moment later. */
const passing: ReadonlySet<ErrorCode> = new Set(['server/unavailable', 'server/busy', 'server/failed']);
/** Answered without queueing: they change nothing, and a clock probe must not wait for a slow search. */
const unordered = /^(?:clock|catalogue)\//;
/** May wait for a service outside. */
const outside = /^catalogue\//;

type Ack = (result: Result<unknown>) => void;

export class Connection {
  readonly socket: IoSocket;
  readonly #deps: ConnectionDeps;
  readonly #inTurn: Turns;
  readonly #rateLimit: ConnectionRateLimit;
  readonly #helloTimer: NodeJS.Timeout;
  /** Known from the first valid hello on; later requests wait until that was answered. */
  #caller: Caller | null = null;
  #isEnding = false;
  #isRetired = false;
  /** The server closed it for a reason that passes: the page comes back by itself. */
  #isExpectedBack = false;
  #welcomed: Promise<unknown> = Promise.resolve();
  /** The hello was answered. */
  #isWelcome = false;
  #turn: Promise<unknown> = Promise.resolve();
  #leaving: Promise<unknown> = Promise.resolve();
  #violations = 0;
  #waitingRequests = 0;
  /** One wait shared by all requests that are to be served. */
  #reading: Promise<void> | null = null;
  /** Process time of the last packet. */
  #heardAtMs = performance.now();

  /** In `inTurn` the requests of each person wait for their turn. */
  constructor(socket: IoSocket, deps: ConnectionDeps, inTurn: Turns) {
    this.socket = socket;
    this.#deps = deps;
    this.#inTurn = inTurn;
    this.#rateLimit = new ConnectionRateLimit(deps.limitScale);
    this.#helloTimer = setTimeout(() => this.end({ code: 'auth/required' }), helloMs);
    socket.onAny((name: string, ...values: unknown[]) => this.#receive(name, values));
    socket.conn.on('packet', () => (this.#heardAtMs = performance.now()));
    socket.on('disconnect', (reason) => this.#closed(reason));
    socket.on('error', () => this.#countViolation());
  }

  get caller(): Caller | null {
    return this.#caller;
  }

  /** How many requests wait for their turn. */
  get waitingRequests(): number {
    return this.#waitingRequests;
  }

  /** Sends the reason and closes. Requests that were not begun are dropped. */
  end(why: Refusal): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#isExpectedBack = passing.has(why.code);
    this.socket.emit('goodbye', why);
    this.socket.disconnect(true);
  }

  /** Disconnects a client that does not read, and drops its requests. */
  abandon(): void {
    this.#isEnding = true;
    // A regular close would wait for the client to read, with all unsent data kept in memory.
    engineOf(this.socket).transport.socket?.terminate();
  }

  /** Takes no more requests; resolves when those taken are answered. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await this.#turn;
  }

  /** Resolves when its end is stored. */
  async settled(): Promise<void> {
    await this.#leaving;
  }

  #receive(name: string, values: unknown[]): void {
    if (this.#isEnding) return;
    const ack = values.at(-1);
    if (typeof ack !== 'function') return this.#countViolation();
    const answer = ack as Ack;
    const verdict = this.#rateLimit.take();
    if (verdict === 'close') return this.end({ code: 'limit/too-many' });
    if (verdict === 'refuse') return answer(refuse('limit/too-many', { retryAfterMs: 1000 }));
    if (this.#isRetired) return answer(refuse('server/unavailable'));
    const payload = values.length === 2 ? values[0] : undefined;
    if (name === 'session/hello') return this.#answerHello(payload, answer);
    const caller = this.#caller;
    if (!caller) return answer(refuse('auth/required'));
    // The most frequent request: without a turn, a table or a promise.
    const probed = name === 'clock/probe' && this.#mayAnswerAtOnce() ? this.#deps.probe(caller, payload) : null;
    if (probed) return answer(probed);
    const isFull = this.#deps.limitScale !== 0 && this.#waitingRequests >= maxWaitingRequests;
    if (isFull) return answer(refuse('limit/too-many', { retryAfterMs: 1000 }));
    this.#waitingRequests += 1;
    const run = () => this.#run(caller, name, payload, answer);
    if (unordered.test(name)) void this.#welcomed.then(run);
    else this.#turn = this.#turn.then(run);
  }

  #mayAnswerAtOnce(): boolean {
    return this.#isWelcome && mayBeServed(engineOf(this.socket));
  }

  async #run(caller: Caller, name: string, payload: unknown, answer: Ack): Promise<void> {
    await this.#untilRead();
    await this.#inTurn(caller.uid, outside.test(name) ? 'outside' : 'ordered', async () => {
      this.#waitingRequests -= 1;
      if (this.#isEnding) return;
      try {
        const { result, isViolation } = await this.#deps.dispatch(caller, name, payload);
        answer(result);
        if (isViolation) this.#countViolation();
      } catch (error) {
        // An answer that can't be sent ends this connection, not the process.
        this.#deps.log.error({ name, err: error }, 'connection.answer-failed');
        this.end({ code: 'server/failed' });
      }
    });
  }

  /** While answers are unread, the next request is not served. */
  async #untilRead(): Promise<void> {
    const engine = engineOf(this.socket);
    if (mayBeServed(engine)) return;
    this.#reading ??= untilRead(engine).finally(() => (this.#reading = null));
    await this.#reading;
  }

  #answerHello(payload: unknown, answer: Ack): void {
    if (isOutdated(payload)) return this.#turnAway(refuse('client/outdated'), answer);
    const hello = isWithinJsonLimits(payload) ? socketRequests['session/hello'].payload.safeParse(payload) : null;
    if (this.#caller || !hello?.success) {
      answer(refuse('input/invalid'));
      return this.#countViolation();
    }
    const { session, address } = this.socket.data;
    if (hello.data.uid !== undefined && hello.data.uid !== session.uid) {
      return this.#turnAway(refuse('auth/required'), answer);
    }
    clearTimeout(this.#helloTimer);
    const caller: Caller = {
      uid: session.uid as Uid,
      sessionId: session.sessionId,
      connectionId: this.socket.id,
      tabId: hello.data.tabId,
      address,
    };
    this.#caller = caller;
    this.#turn = this.#welcomed = this.#welcome(caller, payload, answer);
  }

  async #welcome(caller: Caller, payload: unknown, answer: Ack): Promise<void> {
    const place = await this.#deps.admission.enter();
    if (!place.ok) return this.#turnAway(place, answer);
    try {
      // Gone while it waited: nothing was opened that would have to be closed.
      if (this.#isEnding || !this.socket.connected) return;
      const opened = await this.#deps.opened(caller);
      if (!opened.ok) return this.#turnAway(opened, answer);
      const { result } = await this.#inTurn(caller.uid, 'ordered', () =>
        this.#deps.dispatch(caller, 'session/hello', payload),
      );
      if (!result.ok) return this.#turnAway(result, answer);
      answer(result);
      this.#isWelcome = true;
    } catch (error) {
      this.#turnAway(refuse(codeOfFailure(error, { name: 'session/hello' }, this.#deps.log)), answer);
    } finally {
      place.value();
    }
  }

  #turnAway(refused: Refused, answer: Ack): void {
    answer(refused);
    this.end(refused.error);
  }

  #closed(reason: string): void {
    clearTimeout(this.#helloTimer);
    const caller = this.#caller;
    if (!caller) return;
    const ending = this.#endingFor(reason);
    // Waits for the opening, if it has begun: before that there is nothing to close.
    this.#leaving = this.#welcomed
      .then(() => this.#deps.closed(caller, ending))
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'connection.close-failed'));
  }

  #endingFor(reason: string): Ending {
    if (reason === 'server namespace disconnect') {
      return this.#isExpectedBack ? { type: 'lost', silentMs: 0 } : { type: 'closed' };
    }
    if (reason === 'client namespace disconnect') return { type: 'left' };
    // A silent connection counts as working until a ping goes unanswered.
    return { type: 'lost', silentMs: reason === 'ping timeout' ? performance.now() - this.#heardAtMs : 0 };
  }

  #countViolation(): void {
    this.#violations += 1;
    if (this.#violations >= violationsToClose) this.end({ code: 'input/invalid' });
  }
}

/** Checked before the rest of the hello, because another version may have another shape. */
function isOutdated(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || !('protocolVersion' in payload)) return false;
  return typeof payload.protocolVersion === 'number' && payload.protocolVersion !== protocolVersion;
}

/** The transport below Socket.IO: its unsent data, and the only way to end it when the client does not read. */
interface Engine {
  readonly readyState: string;
  readonly writeBuffer: readonly { data?: string; options?: { wsPreEncodedFrame?: { length: number }[] } }[];
  readonly transport: {
    readonly socket?: { readonly bufferedAmount: number; terminate(): void };
    /** True when the operating system has taken all data. */
    once(event: 'drain', listener: () => void): unknown;
    off(event: 'drain', listener: () => void): unknown;
  };
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** With more unsent data than this the next request is not served. */
const maxWaitingToServe = 256 * 1024;

export const engineOf = (socket: { conn: object }): Engine => socket.conn as unknown as Engine;

export function waitingIn({ writeBuffer, transport }: Engine): { bytes: number; packets: number } {
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data, options } of writeBuffer) {
    const frame = options?.wsPreEncodedFrame;
    bytes += frame ? frame.reduce((sum, part) => sum + part.length, 0) : (data?.length ?? 0);
  }
  return { bytes, packets: writeBuffer.length };
}

const mayBeServed = (engine: Engine): boolean =>
  engine.readyState !== 'open' || waitingIn(engine).bytes <= maxWaitingToServe;

/** Resolves when the client has read enough to be served again, or has disconnected. */
async function untilRead(engine: Engine): Promise<void> {
  while (!mayBeServed(engine)) await untilDrained(engine);
}

/** Resolves when the operating system has everything, or the client has disconnected. */
export async function untilSent(engine: Engine): Promise<void> {
  while (engine.readyState === 'open' && engine.writeBuffer.length > 0) await untilDrained(engine);
}

function untilDrained(engine: Engine): Promise<void> {
  return new Promise((resolve) => {
    const { transport } = engine;
    const done = () => {
      transport.off('drain', done);
      engine.off('close', done);
      resolve();
    };
    transport.once('drain', done);
    engine.once('close', done);
  });
}

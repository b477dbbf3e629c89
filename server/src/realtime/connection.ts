/**
 * One connection from its hello to its end: requests in order, protocol violations, its rate limit. The person is known
 * from the session alone. When the server closes the connection, waiting requests are dropped; when the client closes
 * it, they run, but for those that only read. How hellos of a crowd wait for their turn is below.
 */
import {
  type ErrorCode,
  protocolVersion,
  type Refusal,
  type RequestDeclaration,
  type RequestFrame,
  type RequestTurn,
  type Result,
  socketRequests,
  type StreamId,
  type Uid,
  writeAnswer,
  writeEvent,
} from '@tunemate/protocol';
import type { Caller, Ending } from '../access/caller.ts';
import { ConnectionRateLimit, isWithinJsonLimits } from '../access/limits.ts';
import { accept, type Log, refuse, type Refused } from '../system/ports.ts';
import { type Link, type LinkEnd, textFrame } from './link.ts';
import type { Reading } from './reading.ts';
import { codeOfFailure, type Dispatch, isRequestName } from './requests.ts';
import { helloMs } from './socket-server.ts';
import type { Asker, Lane, Turns } from './turns.ts';

export interface ConnectionDeps {
  dispatch: Dispatch;
  /** Answers a probe of the clock at once; null when it is not well-formed. */
  probe: (caller: Caller, payload: unknown) => Result<unknown> | null;
  log: Log;
  limitScale: number;
  /** How many of a connection's writes may begin at one moment; 1 where they would not share a commit. */
  mostTogether: number;
  /** Where a hello waits for its turn. */
  admission: HelloAdmission;
  /** Refuses a person who has too many connections already. */
  opened: (caller: Caller) => Promise<Result<unknown>>;
  /** Called for every connection that said a valid hello, whatever it was answered. */
  closed: (caller: Caller, ending: Ending) => Promise<void>;
}

/** What requests wait for before they are served: the turn of their person, and that the answers before them are read. */
interface Waits {
  readonly inTurn: Turns;
  readonly reading: Reading;
}

const askerOf = ({ uid, address }: Caller): Asker => ({ uid, network: address });

const violationsToClose = 3;
/** Requests that wait for their turn: behind a slow database, or because the peer does not read. */
const maxWaitingRequests = 100;
/** Why the server closes connections that it would accept a moment later. */
const passing: ReadonlySet<ErrorCode> = new Set(['server/unavailable', 'server/busy', 'server/failed']);
const declarationOf = (name: string): RequestDeclaration | undefined =>
  isRequestName(name) ? socketRequests[name] : undefined;
/** How a request is served beside the others; one that no declaration knows is refused in its place. */
const turnOf = (name: string): RequestTurn | undefined => declarationOf(name)?.turn;
/** It changes nothing, so that it is for its page alone. */
const isRead = (name: string): boolean => {
  const turn = turnOf(name);
  return declarationOf(name)?.isRead === true || (turn !== undefined && turn !== 'together');
};

/** Sends the answer, and says how many bytes it weighs. */
type Answer = (result: Result<unknown>) => number;

interface Waiting {
  readonly name: string;
  readonly payload: unknown;
  readonly answer: Answer;
}

export class Connection {
  readonly link: Link;
  /** The streams it follows; the hub keeps them. */
  readonly streams = new Set<StreamId>();
  readonly #deps: ConnectionDeps;
  readonly #inTurn: Turns;
  readonly #reading: Reading;
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
  /** Requests that wait for those before them, in their order. */
  readonly #waiting: Waiting[] = [];
  #leaving: Promise<unknown> = Promise.resolve();
  #violations = 0;
  #waitingRequests = 0;
  /** One wait shared by all requests that are to be served. */
  #untilItRead: Promise<void> | null = null;

  constructor(link: Link, deps: ConnectionDeps, { inTurn, reading }: Waits, onEnd: () => void) {
    this.link = link;
    this.#deps = deps;
    this.#inTurn = inTurn;
    this.#reading = reading;
    this.#rateLimit = new ConnectionRateLimit(deps.limitScale);
    // After the process was held up, timers come before what arrived meanwhile.
    this.#helloTimer = setTimeout(() => setImmediate(() => this.#endUngreeted()), helloMs);
    link.listen({
      onRequest: (request) => this.#receive(request),
      onEnd: (end) => {
        onEnd();
        this.#closed(end);
      },
    });
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
    this.link.send(textFrame(writeEvent('goodbye', why)));
    this.link.close();
  }

  /** Disconnects a client that does not read, and drops its requests. */
  abandon(): void {
    this.#isEnding = true;
    // A regular close would wait for the client to read, with all unsent data kept in memory.
    this.link.terminate();
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

  #receive({ id, name, values }: RequestFrame): void {
    if (this.#isEnding) return;
    const answer: Answer = (result) => {
      const frame = textFrame(writeAnswer(id, result));
      this.link.send(frame);
      return frame.length;
    };
    const verdict = this.#rateLimit.take();
    if (verdict === 'close') return this.end({ code: 'limit/too-many' });
    if (verdict === 'refuse') return void answer(refuse('limit/too-many', { retryAfterMs: 1000 }));
    if (this.#isRetired) return void answer(refuse('server/unavailable'));
    const payload = values.length === 1 ? values[0] : undefined;
    if (name === 'session/hello') return this.#answerHello(payload, answer);
    const caller = this.#caller;
    if (!caller) return void answer(refuse('auth/required'));
    // The most frequent request: without a turn, a table or a promise.
    const probed = name === 'clock/probe' && this.#mayAnswerAtOnce() ? this.#deps.probe(caller, payload) : null;
    if (probed) return void answer(probed);
    const isFull = this.#deps.limitScale !== 0 && this.#waitingRequests >= maxWaitingRequests;
    if (isFull) return void answer(refuse('limit/too-many', { retryAfterMs: 1000 }));
    this.#waitingRequests += 1;
    const request = { name, payload, answer };
    const turn = turnOf(name);
    if (turn !== undefined && turn !== 'together') {
      const lane = turn === 'unordered' ? 'ordered' : turn;
      void this.#welcomed.then(() => this.#run(caller, lane, [request]));
      return;
    }
    this.#waiting.push(request);
    this.#turn = this.#turn.then(async () => {
      const [first] = this.#waiting;
      // It began together with one before it.
      if (first) await this.#run(caller, 'ordered', this.#waiting.splice(0, this.#togetherWith(first.name)));
    });
  }

  /** How many of the waiting requests begin at one moment with the first, which has this name. */
  #togetherWith(name: string): number {
    if (turnOf(name) !== 'together') return 1;
    const others = this.#waiting.findIndex((each) => each.name !== name);
    return Math.min(others < 0 ? this.#waiting.length : others, this.#deps.mostTogether);
  }

  #mayAnswerAtOnce(): boolean {
    return this.#isWelcome && this.#reading.mayBeServed(this.link);
  }

  async #run(caller: Caller, lane: Lane, requests: readonly Waiting[]): Promise<void> {
    let isServed: boolean;
    do {
      await this.#untilRead();
      isServed = await this.#inTurn(askerOf(caller), lane, async (weighs) => {
        // Others of this connection may have been answered while these waited for their turn.
        if (!this.#reading.mayBeServed(this.link)) return false;
        await Promise.all(requests.map((request) => this.#serve(caller, request, weighs)));
        return true;
      });
    } while (!isServed);
  }

  async #serve(caller: Caller, { name, payload, answer }: Waiting, weighs: (bytes: number) => void): Promise<void> {
    this.#waitingRequests -= 1;
    if (this.#isEnding || (!this.link.isOpen && isRead(name))) return;
    try {
      const { result, isViolation } = await this.#deps.dispatch(caller, name, payload);
      weighs(answer(result));
      if (isViolation) this.#countViolation();
    } catch (error) {
      // An answer that can't be sent ends this connection, not the process.
      this.#deps.log.error({ name, err: error }, 'connection.answer-failed');
      this.end({ code: 'server/failed' });
    }
  }

  /** While answers are unread, the next request is not served. */
  async #untilRead(): Promise<void> {
    if (this.#reading.mayBeServed(this.link)) return;
    this.#untilItRead ??= this.#reading.untilRead(this.link).finally(() => (this.#untilItRead = null));
    await this.#untilItRead;
  }

  #answerHello(payload: unknown, answer: Answer): void {
    if (isOutdated(payload)) return this.#turnAway(refuse('client/outdated'), answer);
    const hello = isWithinJsonLimits(payload) ? socketRequests['session/hello'].payload.safeParse(payload) : null;
    if (this.#caller || !hello?.success) {
      answer(refuse('input/invalid'));
      return this.#countViolation();
    }
    const { session, address } = this.link.owner;
    if (hello.data.uid !== undefined && hello.data.uid !== session.uid) {
      return this.#turnAway(refuse('auth/required'), answer);
    }
    clearTimeout(this.#helloTimer);
    const caller: Caller = {
      uid: session.uid as Uid,
      sessionId: session.sessionId,
      connectionId: this.link.id,
      tabId: hello.data.tabId,
      address,
    };
    this.#caller = caller;
    this.#turn = this.#welcomed = this.#welcome(caller, payload, answer);
  }

  async #welcome(caller: Caller, payload: unknown, answer: Answer): Promise<void> {
    const place = await this.#deps.admission.enter();
    if (!place.ok) return this.#turnAway(place, answer);
    try {
      // Gone while it waited: nothing was opened that would have to be closed.
      if (this.#isEnding || !this.link.isOpen) return;
      const opened = await this.#deps.opened(caller);
      if (!opened.ok) return this.#turnAway(opened, answer);
      const { result } = await this.#inTurn(askerOf(caller), 'ordered', () =>
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

  /** On a slow line, or a busy machine, a page may take too long: it comes back by itself. */
  #endUngreeted(): void {
    if (this.#caller === null) this.end({ code: 'server/busy' });
  }

  #turnAway(refused: Refused, answer: Answer): void {
    answer(refused);
    this.end(refused.error);
  }

  #closed(end: LinkEnd): void {
    clearTimeout(this.#helloTimer);
    const caller = this.#caller;
    if (!caller) return;
    const ending = this.#endingOf(end);
    // Waits for the opening, if it has begun: before that there is nothing to close.
    this.#leaving = this.#welcomed
      .then(() => this.#deps.closed(caller, ending))
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'connection.close-failed'));
  }

  #endingOf(end: LinkEnd): Ending {
    if (end === 'closed') return this.#isExpectedBack ? { type: 'lost', silentMs: 0 } : { type: 'closed' };
    if (end === 'left') return { type: 'left' };
    // A silent connection counts as working until a ping goes unanswered.
    return { type: 'lost', silentMs: end === 'silent' ? performance.now() - this.link.heardAtMs : 0 };
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

/** Enough to fill a batch of presence writes; serving more at once makes each hello slower and none sooner. */
const hellosAtOnce = 64;
/** Served within a second or two on a slow machine, which is before a page gives up. */
const mostWaitingHellos = 1000;
const leastRetryMs = 1000;
const mostRetryMs = 20_000;
/** How much the latest hello counts in the usual time between two of them. */
const latestWeight = 0.05;

type HelloAdmission = ReturnType<typeof helloAdmission>;

/**
 * Admits hellos a few at a time, so that a crowd that comes back after a restart is served in order instead of all at
 * once and not at all in time. The server tells the rest when to come again, by how long hellos take now.
 */
export function helloAdmission(
  nowMs: () => number = () => performance.now(),
  most = { atOnce: hellosAtOnce, mostWaiting: mostWaitingHellos },
) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  /** When the last of the refused ones was asked to come again. */
  let lastTurnMs = 0;
  let msPerHello = 1;
  let lastEndMs = nowMs();

  function leave(): void {
    const endMs = nowMs();
    // With an empty queue the time since the last hello is idle time, not the cost of one.
    if (waiting.length > 0) msPerHello += latestWeight * (endMs - lastEndMs - msPerHello);
    lastEndMs = endMs;
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  }

  return {
    /** Answers what gives the place back, or server/busy with the time to wait. */
    async enter(): Promise<Result<() => void>> {
      if (inside < most.atOnce) {
        inside += 1;
        return accept(leave);
      }
      if (waiting.length >= most.mostWaiting) {
        const now = nowMs();
        // Behind those that wait and those that were refused before. Turns that have passed no longer count.
        const turnMs = Math.max(lastTurnMs, now + waiting.length * msPerHello) + msPerHello;
        lastTurnMs = Math.min(turnMs, now + mostRetryMs);
        const retryAfterMs = Math.round(Math.min(mostRetryMs, Math.max(leastRetryMs, turnMs - now)));
        return refuse('server/busy', { retryAfterMs });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
      return accept(leave);
    },
  };
}

/**
 * One connection from its hello to its end: requests in order, strikes, its own pace, its share of memory. It knows who
 * is there from the session alone.
 */
import { type Payload, protocolVersion, type Refusal, type Result, type Uid } from '@tunemate/protocol';
import type { Log } from '../ports.ts';
import type { Ending } from '../presence/presence-service.ts';
import type { Caller } from './caller.ts';
import type { Dispatch } from './dispatcher.ts';
import { Pace } from './pace.ts';
import type { IoSocket } from './socket-server.ts';

export interface ConnectionDeps {
  dispatch: Dispatch;
  log: Log;
  limitScale: number;
  /** Reads the person's snapshot and lets this connection follow their stream. */
  hello: (caller: Caller) => Promise<Result<unknown>>;
  opened: (caller: Caller) => Promise<void>;
  closed: (caller: Caller, ending: Ending) => Promise<void>;
}

const helloMs = 5000;
const strikesToClose = 3;
/** Answered out of turn: they change nothing, and the clock must not wait behind a slow search. */
const unordered = /^(?:clock|catalogue)\//;

type Ack = (result: Result<unknown>) => void;

export class Connection {
  readonly socket: IoSocket;
  readonly #deps: ConnectionDeps;
  readonly #pace: Pace;
  readonly #helloTimer: NodeJS.Timeout;
  #caller: Caller | null = null;
  #isGreeting = false;
  #turn: Promise<unknown> = Promise.resolve();
  #strikes = 0;

  constructor(socket: IoSocket, deps: ConnectionDeps) {
    this.socket = socket;
    this.#deps = deps;
    this.#pace = new Pace(deps.limitScale);
    this.#helloTimer = setTimeout(() => this.end({ code: 'auth/required' }), helloMs);
    socket.onAny((name: string, ...values: unknown[]) => this.#receive(name, values));
    socket.on('disconnect', (reason) => this.#closed(reason));
    socket.on('error', () => this.#strike());
  }

  get caller(): Caller | null {
    return this.#caller;
  }

  /** Says why and closes. */
  end(why: Refusal): void {
    this.socket.emit('goodbye', why);
    this.socket.disconnect(true);
  }

  #receive(name: string, values: unknown[]): void {
    const ack = values.at(-1);
    if (typeof ack !== 'function') return this.#strike();
    const answer = ack as Ack;
    const pace = this.#pace.take();
    if (pace === 'close') return this.end({ code: 'limit/too-many' });
    if (pace === 'refuse') return answer({ ok: false, error: { code: 'limit/too-many', retryAfterMs: 1000 } });
    const payload = values.length === 2 ? values[0] : undefined;
    if (name === 'session/hello') return this.#greet(payload, answer);
    const caller = this.#caller;
    if (!caller) return answer({ ok: false, error: { code: 'auth/required' } });
    const run = () => this.#run(caller, name, payload, answer);
    if (unordered.test(name)) void run();
    else this.#turn = this.#turn.then(run);
  }

  async #run(caller: Caller, name: string, payload: unknown, answer: Ack): Promise<void> {
    const { result, isStrike } = await this.#deps.dispatch(caller, name, payload);
    answer(result);
    if (isStrike) this.#strike();
  }

  #greet(payload: unknown, answer: Ack): void {
    const hello = payload as Partial<Payload<'session/hello'>> | undefined;
    if (typeof hello?.protocolVersion === 'number' && hello.protocolVersion !== protocolVersion) {
      answer({ ok: false, error: { code: 'client/outdated' } });
      this.socket.disconnect(true);
      return;
    }
    if (this.#isGreeting || !/^[0-9a-f-]{36}$/.test(String(hello?.tabId))) {
      answer({ ok: false, error: { code: 'input/invalid' } });
      return this.#strike();
    }
    this.#isGreeting = true;
    clearTimeout(this.#helloTimer);
    const { session, address } = this.socket.data;
    const caller: Caller = {
      uid: session.uid as Uid,
      sessionId: session.sessionId,
      connectionId: this.socket.id,
      tabId: hello?.tabId as Caller['tabId'],
      address,
    };
    void this.#welcome(caller, answer);
  }

  async #welcome(caller: Caller, answer: Ack): Promise<void> {
    try {
      await this.#deps.opened(caller);
      this.#caller = caller;
      // The connection may have ended while it was being opened.
      if (!this.socket.connected) return await this.#deps.closed(caller, 'cut-off');
      answer(await this.#deps.hello(caller));
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'connection.hello-failed');
      answer({ ok: false, error: { code: 'server/unavailable' } });
      this.socket.disconnect(true);
    }
  }

  #closed(reason: string): void {
    clearTimeout(this.#helloTimer);
    if (!this.#caller) return;
    const ending = endings[reason] ?? 'cut-off';
    this.#deps
      .closed(this.#caller, ending)
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'connection.close-failed'));
  }

  #strike(): void {
    this.#strikes += 1;
    if (this.#strikes >= strikesToClose) this.end({ code: 'input/invalid' });
  }
}

const endings: Record<string, Ending> = {
  'client namespace disconnect': 'goodbye',
  'server namespace disconnect': 'goodbye',
  'ping timeout': 'silent',
};

/**
 * Misbehaving clients: each speaks some protocol, the right one or another, up to some stage, and then breaks off
 * in one of the ways in which connections break. A seed decides everything, so that a run can be repeated.
 */
import { once } from 'node:events';
import { connect as openTcp, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type RudeScript, type RudeTarget, scriptOf, type Step } from './rude-scripts.ts';
import { startTcpFaultProxy, type TcpFaultProxy } from '../network/tcp-fault-proxy.ts';

/** How the connection ends once its stage is reached. */
const endings = ['reset', 'half-close', 'go silent, then reset', 'close'] as const;
/** A faulty connection may also break without either side closing it. */
const lineEndings = ['cut the line', 'stall the line, then cut it'] as const;

export interface RudeReport {
  readonly script: string;
  /** The name of the stage at which it broke off. */
  readonly stage: string;
  readonly ending: string;
  /** Whether it got as far as it wanted; a server may have ended it before. */
  readonly wasReached: boolean;
}

const answerWithinMs = 3000;
const silentForMs = 60;
const trickleMs = 2;

/** One visit from beginning to end. Never throws for what the connection does. */
export async function visitRudely(target: RudeTarget, random: () => number): Promise<RudeReport> {
  const script = scriptOf(target, random);
  const stage = Math.floor(random() * script.steps.length);
  const proxy = random() < 0.4 ? await startTcpFaultProxy({ targetPort: target.port, random }) : null;
  if (proxy && random() < 0.5) proxy.setDelay(5, 20);
  const ways = proxy ? [...endings, ...lineEndings, ...lineEndings] : endings;
  const ending = ways[Math.floor(random() * ways.length)] ?? 'reset';
  const visit = new Visit(proxy?.port ?? target.port);
  const wasReached = await visit.play(script, stage, random);
  await visit.end(ending, proxy);
  await proxy?.stop();
  return { script: script.name, stage: script.steps[stage]?.stage ?? '', ending, wasReached };
}

class Visit {
  readonly #socket: Socket;
  #received = '';
  #isOver = false;
  #heard: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = openTcp({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = (this.#received + chunk.toString('latin1')).slice(-4096);
      this.#heard();
    });
    for (const event of ['end', 'close']) this.#socket.on(event, () => this.#finish());
  }

  /** Plays all steps before `stage`, and of that one a part. False when the server ended it before. */
  async play({ steps }: RudeScript, stage: number, random: () => number): Promise<boolean> {
    await once(this.#socket, 'connect').catch(() => undefined);
    for (const step of steps.slice(0, stage)) {
      this.#write(step.bytes);
      if (!(await this.#hears(step))) return false;
    }
    const last = steps[stage];
    if (!last) return true;
    const part = last.bytes.subarray(0, Math.floor(random() * (last.bytes.length + 1)));
    if (random() < 0.3) await this.#trickle(part);
    else this.#write(part);
    // To break off in the middle of the answer, its beginning must have arrived.
    if (part.length === last.bytes.length && random() < 0.5) await this.#hears(last);
    return !this.#isOver;
  }

  async end(ending: (typeof endings)[number] | (typeof lineEndings)[number], proxy: TcpFaultProxy | null) {
    if (ending === 'stall the line, then cut it') proxy?.stall();
    if (ending === 'half-close') this.#socket.end();
    if (ending === 'half-close' || ending === 'stall the line, then cut it' || ending === 'go silent, then reset') {
      await pause(silentForMs);
    }
    if (ending === 'cut the line' || ending === 'stall the line, then cut it') proxy?.cut();
    if (ending === 'close') this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  #write(bytes: Buffer): void {
    if (!this.#socket.destroyed && bytes.length > 0) this.#socket.write(bytes);
  }

  async #trickle(bytes: Buffer): Promise<void> {
    for (const byte of bytes.subarray(0, 40)) {
      this.#write(Buffer.from([byte]));
      await pause(trickleMs);
    }
    this.#write(bytes.subarray(40));
  }

  async #hears({ until }: Step): Promise<boolean> {
    if (until === null) return !this.#isOver;
    const giveUp = new AbortController();
    const late = pause(answerWithinMs, false, { signal: giveUp.signal }).catch(() => false);
    while (!until.test(this.#received) && !this.#isOver) {
      const more = new Promise<true>((resolve) => (this.#heard = () => resolve(true)));
      if (!(await Promise.race([more, late]))) break;
    }
    giveUp.abort();
    return until.test(this.#received);
  }

  #finish(): void {
    this.#isOver = true;
    this.#heard();
  }
}

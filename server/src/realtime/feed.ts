/**
 * The feed of one process: follows the streams that its connections attend, reads what is new from the record and
 * delivers it in order, each packet once for all receivers. Because delivery follows the record, so does leaving: after
 * the entry that removes someone nothing more of that stream reaches them (R3). Knows no sockets, only an audience.
 */
import type { Entries, StreamId } from '@tunemate/protocol';
import type { Log } from '../ports.ts';
import type { Change, Entry, StreamRecord } from '../storage/record.ts';

/** The connections of this process, as the feed sees them. */
export interface Audience {
  /** How many of this process attend the stream. */
  size(stream: StreamId): number;
  deliver(batch: Entries): void;
  /** Takes all connections of this person (or, for null, of everyone) off the stream. */
  expel(stream: StreamId, uid: string | null): void;
}

/** Up to this many receivers every change goes out at once. */
const smallAudience = 50;
/** In larger audiences changes wait for each other this long, unless one of them concerns playback. */
const coalesceMs = 100;

interface Followed {
  lastSeq: number;
  /** Work on one stream happens one after the other. */
  queue: Promise<unknown>;
  isDrainQueued: boolean;
  waiting: Entry[];
  timer: NodeJS.Timeout | null;
}

export class Feed {
  readonly #record: StreamRecord;
  readonly #audience: Audience;
  readonly #log: Log;
  readonly #followed = new Map<StreamId, Followed>();

  constructor(record: StreamRecord, audience: Audience, log: Log) {
    this.#record = record;
    this.#audience = audience;
    this.#log = log;
  }

  /**
   * Runs `join` while nothing of the stream is delivered; afterwards everything newer than the head read before it
   * reaches whoever joined. So a snapshot taken inside has no gap behind it.
   */
  attend<T>(stream: StreamId, join: () => Promise<T>): Promise<T> {
    return this.#inTurn(stream, async (followed) => {
      if (this.#audience.size(stream) === 0) {
        followed.lastSeq = await this.#record.head(stream);
      } else {
        await this.#drain(stream, followed);
        this.#flush(stream, followed);
      }
      return await join();
    });
  }

  /** The stream grew. */
  ring(stream: StreamId): void {
    const followed = this.#followed.get(stream);
    if (!followed || followed.isDrainQueued) return;
    followed.isDrainQueued = true;
    this.#inTurn(stream, async () => {
      followed.isDrainQueued = false;
      await this.#drain(stream, followed);
    }).catch((error: unknown) => this.#log.warn({ stream, error }, 'feed.read-failed'));
  }

  /** Looks at every followed stream for what no bell announced. */
  async lookAround(): Promise<void> {
    const heads = await this.#record.heads([...this.#followed.keys()]);
    for (const [stream, head] of heads) {
      if (head > (this.#followed.get(stream)?.lastSeq ?? head)) this.ring(stream);
    }
  }

  async #inTurn<T>(stream: StreamId, work: (followed: Followed) => Promise<T>): Promise<T> {
    let followed = this.#followed.get(stream);
    if (!followed) {
      followed = { lastSeq: 0, queue: Promise.resolve(), isDrainQueued: false, waiting: [], timer: null };
      this.#followed.set(stream, followed);
    }
    const mine = followed;
    const result = mine.queue.then(() => work(mine));
    mine.queue = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#forgetIfAlone(stream, mine);
    }
  }

  async #drain(stream: StreamId, followed: Followed): Promise<void> {
    for (;;) {
      const entries = await this.#record.entriesAfter(stream, followed.lastSeq);
      const last = entries.at(-1);
      if (!last) return;
      followed.lastSeq = last.seq;
      followed.waiting.push(...entries);
      const isUrgent = entries.some((entry) => entry.change.startsWith('{"type":"playback/'));
      if (isUrgent || this.#audience.size(stream) <= smallAudience) this.#flush(stream, followed);
      else followed.timer ??= setTimeout(() => this.#flush(stream, followed), coalesceMs);
    }
  }

  /** Delivers what waits, in runs that end where somebody has to leave. */
  #flush(stream: StreamId, followed: Followed): void {
    if (followed.timer) clearTimeout(followed.timer);
    followed.timer = null;
    const waiting = followed.waiting.splice(0);
    let run: Entry[] = [];
    for (const entry of waiting) {
      run.push(entry);
      if (entry.expels === null) continue;
      this.#deliver(stream, run);
      this.#audience.expel(stream, entry.expels === '*' ? null : entry.expels);
      run = [];
    }
    this.#deliver(stream, run);
    this.#forgetIfAlone(stream, followed);
  }

  #deliver(stream: StreamId, run: readonly Entry[]): void {
    const first = run[0];
    if (!first) return;
    this.#audience.deliver({
      stream,
      from: first.seq,
      changes: run.map((entry) => JSON.parse(entry.change) as Change),
    });
  }

  #forgetIfAlone(stream: StreamId, followed: Followed): void {
    const queue = followed.queue;
    void queue.then(() => {
      const isIdle = followed.queue === queue && followed.waiting.length === 0;
      if (isIdle && this.#audience.size(stream) === 0 && this.#followed.get(stream) === followed) {
        this.#followed.delete(stream);
      }
    });
  }
}

/**
 * The feed of one process: follows the streams that its connections attend, reads what is new from the record and
 * delivers it in order, each packet once for all receivers. Because delivery follows the record, so does leaving: after
 * the entry that removes someone nothing more of that stream reaches them (WIRE-4). Knows no sockets, only an audience.
 */
import type { Entries, StreamId } from '@tunemate/protocol';
import type { Log } from '../ports.ts';
import type { Change, Entry, StreamRecord } from '../storage/record.ts';

/** The connections of this process, as the feed sees them. */
export interface Subscribers {
  /** How many of this process attend the stream. */
  size(stream: StreamId): number;
  deliver(batch: Entries): void;
  /** Takes all connections of this person (or, for null, of everyone) off the stream. */
  expel(stream: StreamId, uid: string | null): void;
}

/** Up to this many receivers every change goes out at once. */
const fewSubscribers = 50;
/** In larger audiences changes wait for each other this long, unless one of them concerns playback. */
const coalesceMs = 100;
const entriesPerRead = 500;
/** Databases bound the parameters of one query. */
const streamsPerLook = 5000;

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
  readonly #subscribers: Subscribers;
  readonly #log: Log;
  readonly #followed = new Map<StreamId, Followed>();

  constructor(record: StreamRecord, subscribers: Subscribers, log: Log) {
    this.#record = record;
    this.#subscribers = subscribers;
    this.#log = log;
  }

  /**
   * Runs `join` while nothing of the stream is delivered; afterwards everything newer than the head read before it
   * reaches whoever joined. So a snapshot taken inside has no gap behind it.
   */
  subscribe<T>(stream: StreamId, join: () => Promise<T>): Promise<T> {
    const joining = async (followed: Followed): Promise<T> => {
      if (this.#subscribers.size(stream) === 0) {
        // What still waits was for people who are gone, and may name as leaving someone who is about to come back.
        this.#discard(followed);
        followed.lastSeq = await this.#record.head(stream);
      } else {
        await this.#drain(stream, followed);
        // An entry that removes somebody must not reach them once they are back. Any other may go on waiting: whoever
        // joins drops the numbers that the snapshot covers, so many who join at once don't break up the batches.
        if (followed.waiting.some(({ expels }) => expels !== null)) this.#flush(stream, followed);
      }
      return await join();
    };
    // The answer that carries the snapshot leaves before anything that follows it.
    return this.#inTurn(stream, joining, () => new Promise((resolve) => setImmediate(resolve)));
  }

  /** The stream grew. */
  notify(stream: StreamId): void {
    const followed = this.#followed.get(stream);
    if (!followed || followed.isDrainQueued) return;
    followed.isDrainQueued = true;
    this.#inTurn(stream, async () => {
      followed.isDrainQueued = false;
      await this.#drain(stream, followed);
    }).catch((error: unknown) => this.#log.warn({ stream, err: error }, 'feed.read-failed'));
  }

  /** Looks at every followed stream for what no bell announced, and lets go of those that nobody attends any more. */
  async pollAll(): Promise<void> {
    for (const [stream, followed] of this.#followed) this.#forgetIfAlone(stream, followed);
    const streams = [...this.#followed.keys()];
    for (let from = 0; from < streams.length; from += streamsPerLook) {
      const heads = await this.#record.heads(streams.slice(from, from + streamsPerLook));
      for (const [stream, head] of heads) {
        if (head > (this.#followed.get(stream)?.lastSeq ?? head)) this.notify(stream);
      }
    }
  }

  /** How many streams are followed: as many as are attended, but for a moment. */
  get followedStreams(): number {
    return this.#followed.size;
  }

  async #inTurn<T>(
    stream: StreamId,
    work: (followed: Followed) => Promise<T>,
    beforeNext: () => Promise<void> = () => Promise.resolve(),
  ): Promise<T> {
    let followed = this.#followed.get(stream);
    if (!followed) {
      followed = { lastSeq: 0, queue: Promise.resolve(), isDrainQueued: false, waiting: [], timer: null };
      this.#followed.set(stream, followed);
    }
    const mine = followed;
    const result = mine.queue.then(() => work(mine));
    mine.queue = result.catch(() => undefined).then(beforeNext);
    try {
      return await result;
    } finally {
      this.#forgetIfAlone(stream, mine);
    }
  }

  async #drain(stream: StreamId, followed: Followed): Promise<void> {
    for (;;) {
      // Whoever comes next begins at the head of their own time.
      if (this.#subscribers.size(stream) === 0) return void this.#discard(followed);
      const entries = await this.#record.entriesAfter(stream, followed.lastSeq, entriesPerRead);
      const last = entries.at(-1);
      if (!last) return;
      followed.lastSeq = last.seq;
      followed.waiting.push(...entries);
      const isUrgent = entries.some((entry) => entry.change.startsWith('{"type":"playback/'));
      if (isUrgent || this.#subscribers.size(stream) <= fewSubscribers) this.#flush(stream, followed);
      else followed.timer ??= setTimeout(() => this.#flushLater(stream, followed), coalesceMs);
      // What came while reading has rung again.
      if (entries.length < entriesPerRead) return;
    }
  }

  /** For the timer, which nobody awaits. */
  #flushLater(stream: StreamId, followed: Followed): void {
    try {
      this.#flush(stream, followed);
    } catch (error) {
      this.#log.error({ stream, err: error }, 'feed.delivery-failed');
    }
  }

  /** Takes what waits out of the queue. */
  #discard(followed: Followed): Entry[] {
    if (followed.timer) clearTimeout(followed.timer);
    followed.timer = null;
    return followed.waiting.splice(0);
  }

  /** Delivers what waits, in runs of consecutive numbers that end where somebody has to leave. */
  #flush(stream: StreamId, followed: Followed): void {
    const waiting = this.#discard(followed);
    let run: Entry[] = [];
    for (const entry of waiting) {
      const last = run.at(-1);
      // What stood between was dropped: the numbers must show it.
      if (last && entry.seq !== last.seq + 1) this.#deliver(stream, run.splice(0));
      run.push(entry);
      if (entry.expels === null) continue;
      this.#deliver(stream, run);
      this.#subscribers.expel(stream, entry.expels === '*' ? null : entry.expels);
      run = [];
    }
    this.#deliver(stream, run);
    this.#forgetIfAlone(stream, followed);
  }

  #deliver(stream: StreamId, run: readonly Entry[]): void {
    const first = run[0];
    if (!first) return;
    this.#subscribers.deliver({
      stream,
      from: first.seq,
      changes: run.map((entry) => JSON.parse(entry.change) as Change),
    });
  }

  #forgetIfAlone(stream: StreamId, followed: Followed): void {
    const queue = followed.queue;
    void queue.then(() => {
      const isIdle = followed.queue === queue && followed.waiting.length === 0;
      if (isIdle && this.#subscribers.size(stream) === 0 && this.#followed.get(stream) === followed) {
        this.#followed.delete(stream);
      }
    });
  }
}

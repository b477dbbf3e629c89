/**
 * The feed of one process: follows the streams that its connections subscribe to, reads new entries from the record and
 * delivers them in order, each packet encoded once for all subscribers. Removal follows the record too: after the entry
 * that removes a person nothing more of that stream reaches them (WIRE-4). It knows no sockets, only subscribers.
 */
import { isAudience } from '@tunemate/domain';
import {
  type Entries,
  type EphemeralEvent,
  isUrgent,
  limits,
  overtakes,
  type RoomId,
  type StreamId,
  type Uid,
} from '@tunemate/protocol';
import { gather } from '../system/gather.ts';
import type { Log } from '../system/ports.ts';
import { chunked } from '../storage/queries.ts';
import type { Change, Entry, StreamRecord } from '../storage/record.ts';

/** The connections of this process, as the feed sees them. */
export interface Subscribers {
  /** How many connections of this process subscribe to the stream. */
  size(stream: StreamId): number;
  /** To all subscribers, or to those of one person. */
  deliver(batch: Entries, uid?: string): void;
  /** Ends the subscriptions of this person (or, for null, of everyone) to the stream. */
  expel(stream: StreamId, uid: string | null): void;
}

/** Up to this many subscribers every change is sent at once. */
const fewSubscribers = 50;
/** With more subscribers changes are collected for this long, unless one of them concerns playback. */
const coalesceMs = 100;
/** Head counts are not urgent: sending them this seldom saves a message to every member for each guest who joins. */
const coalesceCountsMs = 500;
/** What an audience, or as many connections, are sent: all but playback, and counts, at most once in this time. */
const coalesceForAudienceMs = 1000;
const entriesPerRead = 500;
/** More than this, while the database does not answer, is read again instead of kept. */
const mostFresh = 500;
/** Databases bound the parameters of one query. */
const streamsPerLook = 5000;

/** An entry whose change is read, once for all that is asked about it. */
interface ReadEntry {
  readonly seq: number;
  readonly change: Change;
  readonly expels: string | null;
}

interface FeedParts {
  record: StreamRecord;
  subscribers: Subscribers;
  doorbell: Pick<Doorbell, 'follow' | 'unfollow'>;
  log: Log;
}

interface Followed {
  lastSeq: number;
  /** Work on one stream happens one after the other. */
  queue: Promise<unknown>;
  isDrainQueued: boolean;
  /** Known and not drained yet: if they go on where the last delivery ended, nothing is read. Null: must be read. */
  fresh: Entry[] | null;
  waiting: ReadEntry[];
  /** When the waiting are delivered; null while none wait. */
  due: { atMs: number; timer: NodeJS.Timeout } | null;
}

export class Feed {
  readonly #record: StreamRecord;
  readonly #subscribers: Subscribers;
  readonly #doorbell: Pick<Doorbell, 'follow' | 'unfollow'>;
  readonly #log: Log;
  readonly #followed = new Map<StreamId, Followed>();
  readonly #headOf = gather(async (streams: readonly StreamId[]) => {
    const heads = await this.#record.currentHeads(streams);
    return streams.map((stream) => heads.get(stream) ?? 0);
  });

  constructor({ record, subscribers, doorbell, log }: FeedParts) {
    this.#record = record;
    this.#subscribers = subscribers;
    this.#doorbell = doorbell;
    this.#log = log;
  }

  /**
   * Runs `join` with the stream's number while delivery is paused; afterwards everything newer than that number reaches
   * the new subscriber. So no change is lost after a snapshot read inside.
   */
  subscribe<T>(stream: StreamId, join: (seq: number) => Promise<T>): Promise<T> {
    const joining = async (followed: Followed): Promise<T> => {
      // Those of people who connect at one moment are read together; a room that is followed needs only its own.
      const isFollowed = this.#subscribers.size(stream) > 0;
      if (!isFollowed) await this.#doorbell.follow(stream, 'feed');
      const head = isFollowed ? await this.#currentHead(stream) : await this.#headOf(stream);
      if (this.#subscribers.size(stream) === 0) {
        // Entries that still wait were for earlier subscribers, and may remove a person who is about to come back.
        this.#discard(followed);
        followed.lastSeq = head;
      } else {
        if (head > followed.lastSeq) {
          if ((followed.fresh?.at(-1)?.seq ?? 0) < head) followed.fresh = null;
          await this.#drain(stream, followed);
        }
        // An entry that removes a person must not reach them once they are back. Others may wait: a client
        // that joins drops the numbers that its snapshot covers, so many joins at once don't break up the batches.
        if (followed.waiting.some(({ expels }) => expels !== null)) this.#flush(stream, followed);
      }
      return await join(followed.lastSeq);
    };
    // The answer with the snapshot is sent before any entry that follows it.
    return this.#inTurn(stream, joining, () => new Promise((resolve) => setImmediate(resolve)));
  }

  async #currentHead(stream: StreamId): Promise<number> {
    return (await this.#record.currentHeads([stream])).get(stream) ?? 0;
  }

  /** The stream has new entries: these, which a process has just committed, or for null those in the record. */
  notify(stream: StreamId, fresh: readonly Entry[] | null = null): void {
    const followed = this.#followed.get(stream);
    if (!followed) return;
    if (!fresh || !followed.fresh || followed.fresh.length + fresh.length > mostFresh) followed.fresh = null;
    else followed.fresh.push(...fresh);
    if (followed.isDrainQueued) return;
    followed.isDrainQueued = true;
    this.#inTurn(stream, async () => {
      followed.isDrainQueued = false;
      await this.#drain(stream, followed);
    }).catch((error: unknown) => this.#log.warn({ stream, err: error }, 'feed.read-failed'));
  }

  /** Reads every followed stream for entries whose notification was lost, and drops streams without subscribers. */
  async pollAll(): Promise<void> {
    for (const [stream, followed] of this.#followed) this.#forgetIfAlone(stream, followed);
    for (const streams of chunked([...this.#followed.keys()], streamsPerLook)) {
      const heads = await this.#record.heads(streams);
      for (const [stream, head] of heads) {
        if (head > (this.#followed.get(stream)?.lastSeq ?? head)) this.notify(stream);
      }
    }
  }

  /** How many streams are followed: those with subscribers, and for a moment those without. */
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
      const queue = Promise.resolve();
      followed = { lastSeq: 0, queue, isDrainQueued: false, fresh: [], waiting: [], due: null };
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
      // The next subscriber begins at the head of that moment.
      if (this.#subscribers.size(stream) === 0) {
        followed.fresh = [];
        return void this.#discard(followed);
      }
      const entries =
        takeFresh(followed) ?? (await this.#record.entriesAfter(stream, followed.lastSeq, entriesPerRead));
      const last = entries.at(-1);
      if (!last) return;
      followed.lastSeq = last.seq;
      for (const entry of entries) followed.waiting.push(this.#counted(stream, followed, readEntry(entry)));
      const waitMs = this.#waitMs(stream, followed.waiting.slice(-entries.length));
      if (waitMs === 0) this.#flush(stream, followed);
      else this.#flushWithin(stream, followed, waitMs);
      // Entries that came while reading have caused another notification.
      if (entries.length < entriesPerRead) return;
      followed.fresh = null;
    }
  }

  /** How long these, the latest, may wait for others. */
  #waitMs(stream: StreamId, entries: readonly ReadEntry[]): number {
    if (entries.some(({ change }) => isUrgent(change))) return 0;
    const size = this.#subscribers.size(stream);
    if (size > limits.audiencePeople || entries.every(isOfAudience)) return coalesceForAudienceMs;
    if (size <= fewSubscribers) return 0;
    return entries.every(isCount) ? coalesceCountsMs : coalesceMs;
  }

  /**
   * A guest who leaves an audience receives their own leaving at once, and the others only how many they are. The
   * numbers before, which still wait to be sent to all, no longer concern that guest.
   */
  #counted(stream: StreamId, followed: Followed, entry: ReadEntry): ReadEntry {
    const left = entry.change;
    if (left.type !== 'rooms/participantLeft' || left.removed || !isAudience(left.people + 1)) return entry;
    const from = followed.waiting[0]?.seq ?? entry.seq;
    this.#subscribers.deliver({ stream, from, to: entry.seq, changes: [left] }, left.uid);
    this.#subscribers.expel(stream, left.uid);
    return { ...entry, change: { type: 'rooms/headCount', people: left.people }, expels: null };
  }

  #flushWithin(stream: StreamId, followed: Followed, ms: number): void {
    const atMs = performance.now() + ms;
    if (followed.due && followed.due.atMs <= atMs) return;
    clearTimeout(followed.due?.timer);
    followed.due = { atMs, timer: setTimeout(() => this.#flushLater(stream, followed), ms) };
  }

  /** For the timer, which is not awaited. */
  #flushLater(stream: StreamId, followed: Followed): void {
    try {
      this.#flush(stream, followed);
    } catch (error) {
      this.#log.error({ stream, err: error }, 'feed.delivery-failed');
    }
  }

  /** Takes the waiting entries out of the queue. */
  #discard(followed: Followed): ReadEntry[] {
    clearTimeout(followed.due?.timer);
    followed.due = null;
    return followed.waiting.splice(0);
  }

  /**
   * Delivers the waiting entries, in runs of consecutive numbers that end where a person is removed. Of counts in a row
   * only the last is sent, with the numbers that it stands for; of those of an audience only the last of a run, so that
   * one frame has them all.
   */
  #flush(stream: StreamId, followed: Followed): void {
    const waiting = this.#discard(followed);
    const isMixed = waiting.some(isOfAudience);
    let run: ReadEntry[] = [];
    for (const entry of waiting) {
      const last = run.at(-1);
      // Entries in between were dropped: the numbers must show the gap.
      const isGap = last && entry.seq !== last.seq + 1;
      if (isGap || (last && !isMixed && isCount(last) !== isCount(entry)))
        this.#deliver(stream, run.splice(0), isMixed);
      run.push(entry);
      if (entry.expels === null) continue;
      this.#deliver(stream, run, isMixed);
      this.#subscribers.expel(stream, entry.expels === '*' ? null : entry.expels);
      run = [];
    }
    this.#deliver(stream, run, isMixed);
    this.#forgetIfAlone(stream, followed);
  }

  #deliver(stream: StreamId, run: readonly ReadEntry[], isMixed: boolean): void {
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) return;
    const lastCount = run.findLastIndex(isCount);
    if (isMixed && lastCount >= 0 && !run.every(isCount)) {
      const kept = run.filter((entry, index) => index === lastCount || !isCount(entry));
      const numbers = kept.map(({ seq }) => seq);
      return this.#subscribers.deliver({ stream, from: first.seq, numbers, changes: kept.map(({ change }) => change) });
    }
    const isOvertaken = isCount(first) && run.length > 1;
    this.#subscribers.deliver({
      stream,
      from: first.seq,
      ...(isOvertaken && { to: last.seq }),
      changes: (isOvertaken ? [last] : run).map(({ change }) => change),
    });
  }

  #forgetIfAlone(stream: StreamId, followed: Followed): void {
    const queue = followed.queue;
    void queue.then(() => {
      const isIdle = followed.queue === queue && followed.waiting.length === 0;
      if (isIdle && this.#subscribers.size(stream) === 0 && this.#followed.get(stream) === followed) {
        this.#followed.delete(stream);
        this.#doorbell.unfollow(stream, 'feed');
      }
    });
  }
}

const readEntry = ({ seq, change, expels }: Entry): ReadEntry => {
  return { seq, change: JSON.parse(change) as Change, expels };
};

const isCount = ({ change }: ReadEntry): boolean => overtakes(change);

/** Whether it says that an audience has come or gone. */
function isOfAudience({ change }: ReadEntry): boolean {
  return change.type === 'rooms/headCount' && isAudience(change.people);
}

/** Takes the known entries that are not delivered yet; null where the record has to be read: behind a gap, too. */
function takeFresh(followed: Followed): Entry[] | null {
  const { fresh, lastSeq } = followed;
  followed.fresh = [];
  const newer = fresh?.filter(({ seq }) => seq > lastSeq);
  return newer?.every(({ seq }, index) => seq === lastSeq + 1 + index) ? newer : null;
}

// The doorbell: with one process a plain call.

/** Messages between processes, which are not stored. */
export type DoorbellMessage =
  /** The stream has new entries: these, or for null those in the record. */
  | { type: 'stream-grown'; to: StreamId; entries: readonly Entry[] | null }
  /** The name or presence of these people has changed. */
  | { type: 'shown'; uids: Uid[] }
  /** What these people hear, and show, has changed. */
  | { type: 'heard'; uids: Uid[] }
  | { type: 'ephemeral'; to: StreamId; news: EphemeralEvent }
  /** A player of the room has loaded; it concerns the process that holds the start. */
  | { type: 'ready'; roomId: RoomId; revision: number; connectionId: string };

/** What follows a stream for its notifications: the delivery of its entries, and the wait of a room for its players. */
export type Follower = 'feed' | 'load-barrier';

export interface Doorbell {
  notify(message: DoorbellMessage): void;
  /** Called for notifications of this process and of all others. */
  onNotification(listener: (message: DoorbellMessage) => void): void;
  /**
   * Begins to receive what other processes notify of this stream; resolves when nothing more of it is missed. It is
   * received until the last follower has left it.
   */
  follow(stream: StreamId, by: Follower): Promise<void>;
  unfollow(stream: StreamId, by: Follower): void;
  /**
   * True while the messages of other processes can't be received, and once after that: then the caller reads the
   * database.
   */
  mayHaveMissed(): boolean;
  /** Names the Redis that it goes through, the same for all processes of that Redis; null without one. */
  service(): Promise<string | null>;
  close(): Promise<void>;
}

/** Notifies this process only; `mayHaveMissed` says whether others may have written. */
export function localDoorbell({ mayHaveMissed }: Pick<Doorbell, 'mayHaveMissed'>): Doorbell {
  const listeners: ((message: DoorbellMessage) => void)[] = [];
  return {
    notify: (message) => listeners.forEach((listener) => listener(message)),
    onNotification: (listener) => void listeners.push(listener),
    follow: () => Promise.resolve(),
    unfollow: () => undefined,
    mayHaveMissed,
    service: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

/**
 * The order of writes on one SQLite file, and the moment at which each counts as done. A commit is written into the log
 * (WAL) without waiting for the disk; one sync, off the event loop, then serves all commits that were made before it
 * began. Until it has ended the commits are not answered, and reads see the database as it was before the first of them:
 * what is shown is on the disk, as what is acknowledged is. No commit is made during a sync.
 *
 * When a sync fails, its commits are rejected, and may or may not be stored. The system may have dropped what it could
 * not write, and would call a second sync a success; so the log is written anew before anything else is committed, and
 * reads stay where they are until that has reached the disk.
 */
import { systemCode } from '../../system/ports.ts';
import type { LogFile } from './log-file.ts';

/** The connection that reads. It is held at one state of the database from `pin` to `unpin`. */
export interface Pinned {
  pin(): void;
  unpin(): void;
}

/** A longer line takes several syncs, so that the first in it does not wait for the last. */
const commitsPerSync = 64;

/** A disk counts as slow by its last sync. */
const slowSyncMs = 4;
const mostGatheringMs = 10;

/** Who waits for a turn, or for a sync. */
type Waiting = PromiseWithResolvers<void>;

const closed = (): Error => new Error('the database is closed');

export class CommitLine {
  readonly #reads: Pinned;
  readonly #log: Pick<LogFile, 'hasGrown' | 'sync' | 'writeAnew'>;
  readonly #line: Waiting[] = [];
  /** Committed, and not known to be on the disk. */
  #unsynced: Waiting[] = [];
  #state: 'free' | 'taken' | 'gathering' | 'failed' = 'free';
  #gathering: NodeJS.Timeout | undefined;
  #lastSyncMs = 0;
  /** One of those that are not synced has gathered others before it began. */
  #isGathered = false;
  #isPinned = false;
  #isClosed = false;

  readonly #onLost: (error: unknown) => void;

  /** `onLost` is called when a sync has failed and the log can't be read back: then nothing may be read any more. */
  constructor(reads: Pinned, log: Pick<LogFile, 'hasGrown' | 'sync' | 'writeAnew'>, onLost: (error: unknown) => void) {
    this.#reads = reads;
    this.#log = log;
    this.#onLost = onLost;
  }

  /** No write is under way and all is on the disk: the writing connection shows what may be shown. */
  get isFree(): boolean {
    return this.#state === 'free';
  }

  /**
   * Resolves when it is the caller's turn, which ends with `commit` or `leave`. Rejects while a sync has failed, and
   * after `close`.
   */
  async take(): Promise<void> {
    if (this.#isClosed) throw closed();
    if (this.#state === 'free' || this.#state === 'gathering') {
      clearTimeout(this.#gathering);
      this.#state = 'taken';
      return;
    }
    const turn = this.#waitIn(this.#line);
    if (this.#state === 'failed') void this.#mend();
    await turn;
  }

  /** Waits for its turn, and until all that was committed is on the disk or rejected; later ones get no turn. */
  async close(): Promise<void> {
    await this.take().catch(() => undefined);
    this.#isClosed = true;
    for (const each of this.#line.splice(0)) each.reject(closed());
    if (this.#unsynced.length === 0) return;
    const synced = this.#waitIn(this.#unsynced);
    void this.#sync();
    await synced.catch(() => undefined);
  }

  /** Ends a turn in which nothing was committed. */
  leave(): void {
    this.#next();
  }

  /**
   * Runs `work`, which commits, and ends the turn; resolves with its value when that is on the disk. When `work` throws
   * the turn goes on. `isGathered` says that it is the work of all that came at one moment: others are not waited for.
   */
  async commit<T>(work: () => T, isGathered: boolean): Promise<T> {
    this.#pin();
    let value: T;
    try {
      value = work();
    } catch (error) {
      if (this.#unsynced.length === 0) this.#unpin();
      throw error;
    }
    // Of what saw an earlier commit nothing may be told before that is on the disk.
    if (this.#log.hasGrown() || this.#unsynced.length > 0) {
      const synced = this.#waitIn(this.#unsynced);
      this.#isGathered ||= isGathered;
      this.#next();
      await synced;
    } else {
      this.#unpin();
      this.#next();
    }
    return value;
  }

  #waitIn(queue: Waiting[]): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    queue.push(waiting);
    return waiting.promise;
  }

  #next(): void {
    const next = this.#unsynced.length < commitsPerSync ? this.#line.shift() : undefined;
    if (next) next.resolve();
    else if (this.#unsynced.length === 0) this.#state = 'free';
    else if (this.#isGathered || this.#lastSyncMs < slowSyncMs) void this.#sync();
    else {
      // What came while the last sync ran is about to be answered, and what follows it would wait for a whole sync.
      this.#state = 'gathering';
      this.#gathering = setTimeout(() => void this.#sync(), Math.min(mostGatheringMs, this.#lastSyncMs / 2));
    }
  }

  async #sync(): Promise<void> {
    this.#state = 'taken';
    this.#isGathered = false;
    const synced = this.#unsynced.splice(0);
    const startMs = performance.now();
    try {
      await this.#log.sync();
      this.#lastSyncMs = performance.now() - startMs;
    } catch (error) {
      this.#state = 'failed';
      for (const each of synced) each.reject(error);
      if (this.#line.length > 0) await this.#mend();
      return;
    }
    this.#unpin();
    for (const each of synced) each.resolve();
    this.#next();
  }

  /** After a failed sync. */
  async #mend(): Promise<void> {
    this.#state = 'taken';
    try {
      await this.#log.writeAnew();
    } catch (error) {
      this.#state = 'failed';
      if (systemCode(error) === 'SQLITE_CORRUPT') this.#onLost(error);
      for (const each of this.#line.splice(0)) each.reject(error);
      return;
    }
    this.#unpin();
    this.#next();
  }

  #pin(): void {
    if (this.#isPinned) return;
    this.#reads.pin();
    this.#isPinned = true;
  }

  #unpin(): void {
    if (!this.#isPinned) return;
    this.#isPinned = false;
    this.#reads.unpin();
  }
}

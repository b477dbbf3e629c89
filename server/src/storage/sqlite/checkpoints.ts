/**
 * When the log (WAL) of a SQLite file is moved into the file, and how writes wait for it: most of it beside them, in a
 * thread of its own; only the last pages, and the new beginning of the log, in a turn of the line of commits.
 */
import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import SqliteFile from 'better-sqlite3';
import { checkpointWorker } from '../../paths.ts';
import type { CommitLine } from './commit-line.ts';
import type { LogFile } from './log-file.ts';

/** Pages go from the log into the file; the log begins anew; it begins anew and the file of the log is emptied first. */
export type CheckpointStep = 'move' | 'restart' | 'empty';

/** Null for one that succeeded; else the code of SQLite, and whether pages were on their way into the file. */
export type CheckpointAnswer = null | { code: string; isMoving: boolean };

/** What the thread is told of a database, which asks it by this port. */
export interface CheckpointedFile {
  readonly path: string;
  readonly port: MessagePort;
}

export interface Checkpoints {
  /** After each commit. */
  look(): void;
  /** Empties the log. Rejects with a code of SQLite. */
  empty(): Promise<void>;
  /**
   * A sync of the database file has failed: what was moved into it may be lost, and only the log has it for sure. The log
   * must not begin anew, nor may SQLite close the file, before a start reads the whole log.
   */
  readonly isInDoubt: boolean;
  close(): Promise<void>;
}

/** Pages of a log that is moved. */
const mostPages = 1000;

interface CheckpointsDeps {
  path: string;
  line: CommitLine;
  log: LogFile;
  /** A checkpoint that no write waits for has failed; it is tried again after as many pages as before. */
  onFailed: (error: unknown) => void;
  mostPagesInLog?: number;
}

export function checkpoints({ path, line, log, onFailed, mostPagesInLog = mostPages }: CheckpointsDeps): Checkpoints {
  const worker = checkpointThread(path);
  let nextAt = mostPagesInLog;
  /** One after the other. */
  let last: Promise<unknown> = Promise.resolve();
  let isMoving = false;
  let isClosed = false;
  let holding: SqliteFile.Database | null = null;

  /** Where a reader stays in it a log does not begin anew, whatever program asks for that. */
  function keepLog(): void {
    if (holding !== null) return;
    holding = new SqliteFile(path, { readonly: true });
    holding.exec('begin; select count(*) from sqlite_schema');
  }

  async function run(step: CheckpointStep): Promise<void> {
    const answer = await worker.ask(step);
    if (answer === null) return;
    if (answer.isMoving && answer.code === 'SQLITE_IOERR_FSYNC') keepLog();
    throw Object.assign(new Error('a checkpoint failed'), { code: answer.code });
  }

  async function beginAnew(step: 'restart' | 'empty'): Promise<void> {
    await line.take();
    try {
      await run(step);
    } finally {
      log.hasGrown();
      line.leave();
    }
  }

  async function move(): Promise<void> {
    isMoving = true;
    try {
      // A write that begins in the moment after this may begin the log anew by itself, and waits for the disk once.
      await run('move');
      await beginAnew('restart');
    } catch (error) {
      onFailed(error);
    } finally {
      isMoving = false;
      nextAt = log.pages + mostPagesInLog;
    }
  }

  const inTurn = async (work: () => Promise<void>) => {
    const mine = last.then(() => (isClosed ? undefined : work()));
    last = mine.catch(() => undefined);
    await mine;
  };

  return {
    look() {
      if (log.pages < nextAt - mostPagesInLog) nextAt = mostPagesInLog;
      if (isMoving || isClosed || holding !== null || log.pages < nextAt) return;
      void inTurn(move);
    },
    empty: () => inTurn(() => beginAnew('empty')),
    get isInDoubt() {
      return holding !== null;
    },
    async close() {
      isClosed = true;
      await last;
      await worker.end();
    },
  };
}

/**
 * The thread of this process, which opens each database when it is first asked of it. Of all databases one: to start a
 * thread costs more than most checkpoints.
 */
let thread: Worker | null = null;

function startThread(): Worker {
  const started = new Worker(checkpointWorker);
  started.once('exit', () => {
    if (thread === started) thread = null;
  });
  // Its ports close as well, and tell those that wait for an answer.
  started.once('error', () => undefined);
  // An idle one keeps no process running.
  started.unref();
  return started;
}

interface OpenPort {
  readonly port: MessagePort;
  readonly ended: AbortSignal;
}

function openPort(path: string): OpenPort {
  const { port1: port, port2 } = new MessageChannel();
  const ended = new AbortController();
  port.once('close', () => ended.abort());
  thread ??= startThread();
  thread.postMessage({ path, port: port2 } satisfies CheckpointedFile, [port2]);
  return { port, ended: ended.signal };
}

/** What one database asks of the thread, and what it hears. */
function checkpointThread(path: string) {
  let open: OpenPort | null = null;

  return {
    async ask(step: CheckpointStep): Promise<CheckpointAnswer> {
      if (open?.ended.aborted !== false) open = openPort(path);
      const { port, ended } = open;
      port.ref();
      port.postMessage(step, []);
      const [answer] = (await once(port, 'message', { signal: ended })) as [CheckpointAnswer];
      port.unref();
      return answer;
    },
    async end(): Promise<void> {
      if (open === null || open.ended.aborted) return;
      const { port } = open;
      port.ref();
      const closed = once(port, 'close');
      port.postMessage('close', []);
      await closed;
    },
  };
}

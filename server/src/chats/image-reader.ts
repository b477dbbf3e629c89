/**
 * Has pictures decoded in a process of their own, one at a time: a decoder that takes too long is killed, one that dies
 * costs the picture it was at. The process is started when a picture comes and ended when none has come for a while.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Failure, type Log } from '../ports.ts';
import type { Image } from './image-decoding.ts';

const program = join(import.meta.dirname, 'image-worker.ts');
/** On a slow or busy machine a new process takes its time. */
const startWithinMs = 20_000;

/** Not one of the three formats, or damaged; over the time or the memory for one; the end of its decoder. */
export type ImageFault = 'unreadable' | 'too-costly' | 'broke-decoder';

export interface ImageReader {
  /** Throws a Failure when no process can be had. */
  read(bytes: Uint8Array): Promise<Image | ImageFault>;
  /** Ends the process; whatever waits for it fails. */
  close(): Promise<void>;
}

export interface ImageReaderOptions {
  log: Log;
  /** For one picture, from the moment its process is there. */
  killAfterMs?: number;
  /** The whole process; honest pictures of the largest size take up to 450 MB. */
  killOverMb?: number;
  endIdleAfterMs?: number;
}

export function imageReader({
  log,
  killAfterMs = 5000,
  killOverMb = 512,
  endIdleAfterMs = 60_000,
}: ImageReaderOptions): ImageReader {
  let child: ChildProcess | null = null;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function start(): Promise<ChildProcess> {
    const started = fork(program, [String(killOverMb)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--disable-proto=delete', '--max-old-space-size=64'],
      // Nothing of the server's settings: they hold secrets.
      env: {},
    });
    // A process that can't even be started says so here, and then counts as ended.
    started.on('error', (error) => {
      if (started.pid === undefined) forget(started);
      log.warn({ err: error }, 'image.worker-failed');
    });
    started.once('exit', (code, signal) => {
      forget(started);
      log.debug({ pid: started.pid, code, signal }, 'image.worker-ended');
    });
    child = started;
    const ready = await nextMessage(started, startWithinMs);
    if (ready.type !== 'message') {
      end(started);
      throw new Failure('server/unavailable', 'picture.process-not-started');
    }
    log.debug({ pid: started.pid }, 'image.worker-started');
    return started;
  }

  async function readNow(bytes: Uint8Array): Promise<Image | ImageFault> {
    clearTimeout(idle);
    assertOpen();
    const reading = child ?? (await start());
    const answer = nextMessage(reading, killAfterMs);
    reading.send(bytes, () => undefined);
    const told = await answer;
    if (told.type === 'message') {
      idle = setTimeout(() => end(reading), endIdleAfterMs).unref();
      return told.value === null ? 'unreadable' : (told.value as Image);
    }
    end(reading);
    assertOpen();
    log.warn({ bytes: bytes.byteLength, why: told.type, signal: told.signal }, 'image.worker-lost');
    // It is killed for its time from here, and for its memory by itself or by the system.
    return told.signal === 'SIGKILL' ? 'too-costly' : 'broke-decoder';
  }

  function assertOpen(): void {
    if (isClosed) throw new Failure('server/unavailable', 'picture.server-closing');
  }

  /** The next picture gets a process of its own, even before this one is gone. */
  function end(running: ChildProcess): void {
    forget(running);
    running.kill('SIGKILL');
  }

  function forget(running: ChildProcess): void {
    if (child === running) child = null;
  }

  return {
    read(bytes) {
      const turn = queue.then(() => readNow(bytes));
      queue = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      const ending = child;
      if (ending === null) return;
      const gone = new Promise((resolve) => void ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await gone;
    },
  };
}

type Told =
  | { type: 'message'; value: unknown; signal?: undefined }
  | { type: 'too-late'; signal: 'SIGKILL' }
  | { type: 'ended'; signal: NodeJS.Signals | null };

/** What the process says next, or that it says nothing more. */
function nextMessage(child: ChildProcess, withinMs: number): Promise<Told> {
  return new Promise((resolve) => {
    const finish = (told: Told) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      resolve(told);
    };
    const onMessage = (value: unknown) => finish({ type: 'message', value });
    const onExit = (_code: number | null, signal: NodeJS.Signals | null) => finish({ type: 'ended', signal });
    const onError = () => finish({ type: 'ended', signal: null });
    const timer = setTimeout(() => finish({ type: 'too-late', signal: 'SIGKILL' }), withinMs);
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
  });
}

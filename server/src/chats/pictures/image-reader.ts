/**
 * Decodes pictures in a process of their own, one at a time, networks in turn: a decoder that takes too long is killed,
 * and when it crashes only the picture it was decoding is lost. The process starts with the first picture and ends when
 * idle.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { imageWorker } from '../../paths.ts';
import { createNetworkTurns } from '../../system/network-turns.ts';
import { Failure, type Log } from '../../system/ports.ts';
import type { Image } from './image-worker.ts';

/** Generous: starting a process takes seconds on a slow or busy machine. */
const startWithinMs = 60_000;
/** More than all people of an evening send at once. */
const queueLength = 256;

/** Another format or damaged; over the time or the memory of one picture; the decoder crashed on it. */
export type ImageFault = 'unreadable' | 'too-costly' | 'broke-decoder';

export type ImageReader = ReturnType<typeof imageReader>;

export interface ImageReaderOptions {
  log: Log;
  /** The file of the program that is started. */
  program?: string;
  /** Processor time of one picture, which does not depend on other load on the machine. */
  killAfterCpuMs?: number;
  /** For a decoder that hangs. Counted from the start of its process. */
  killAfterMs?: number;
  /** The whole process; ordinary pictures of the largest size take up to 450 MB. */
  killOverMb?: number;
  endIdleAfterMs?: number;
}

export function imageReader({
  log,
  program = imageWorker,
  killAfterCpuMs = 5000,
  killAfterMs = 60_000,
  killOverMb = 512,
  endIdleAfterMs = 60_000,
}: ImageReaderOptions) {
  let child: ChildProcess | null = null;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const inTurn = createNetworkTurns({ atOnce: 1, queueLength, whenFull: 'image.queue-full' });

  async function start(): Promise<ChildProcess> {
    const started = forkWorker(program, killOverMb, killAfterCpuMs);
    watch(started, log, () => forget(started));
    child = started;
    const ready = await nextMessage(started, startWithinMs);
    if (ready.type !== 'message') {
      end(started);
      throw new Failure('server/unavailable', 'image.worker-not-started');
    }
    log.debug({ pid: started.pid }, 'image.worker-started');
    return started;
  }

  async function readNow(bytes: Uint8Array): Promise<Image | ImageFault> {
    clearTimeout(idle);
    assertOpen();
    const reading = child ?? (await start());
    const next = nextMessage(reading, killAfterMs);
    reading.send(bytes, () => undefined);
    const answer = await next;
    if (answer.type === 'message') {
      idle = setTimeout(() => end(reading), endIdleAfterMs).unref();
      return answer.value === null ? 'unreadable' : (answer.value as Image);
    }
    end(reading);
    assertOpen();
    log.warn({ bytes: bytes.byteLength, why: answer.type, signal: answer.signal }, 'image.worker-lost');
    // Over its processor time or memory it ends itself, or the system kills it; over its time it is killed from here.
    return answer.signal === 'SIGKILL' ? 'too-costly' : 'broke-decoder';
  }

  function assertOpen(): void {
    if (isClosed) throw new Failure('server/unavailable', 'image.server-closing');
  }

  /** The next picture gets a new process, even before this one has exited. */
  function end(running: ChildProcess): void {
    forget(running);
    running.kill('SIGKILL');
  }

  function forget(running: ChildProcess): void {
    if (child === running) child = null;
  }

  return {
    /** Throws a Failure when no process can be started, or too many pictures wait. */
    read: (bytes: Uint8Array, network = ''): Promise<Image | ImageFault> =>
      inTurn({ network, isKnown: true }, () => readNow(bytes)),
    /** Ends the process; waiting pictures fail. */
    async close() {
      isClosed = true;
      clearTimeout(idle);
      const ending = child;
      if (ending === null) return;
      const exited = new Promise((resolve) => void ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await exited;
    },
  };
}

/** Calls `onEnd` when the process has ended or could not be started. */
function watch(started: ChildProcess, log: Log, onEnd: () => void): void {
  started.on('error', (error) => {
    if (started.pid === undefined) onEnd();
    log.warn({ err: error }, 'image.worker-failed');
  });
  started.once('exit', (code, signal) => {
    onEnd();
    log.debug({ pid: started.pid, code, signal }, 'image.worker-ended');
  });
}

function forkWorker(program: string, killOverMb: number, killAfterCpuMs: number): ChildProcess {
  return fork(program, [String(killOverMb), String(killAfterCpuMs)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--disable-proto=delete', '--max-old-space-size=64'],
    // The server's settings contain secrets.
    env: {},
  });
}

type Answer =
  | { type: 'message'; value: unknown; signal?: undefined }
  | { type: 'too-late'; signal: 'SIGKILL' }
  | { type: 'ended'; signal: NodeJS.Signals | null };

/** The next message of the process, or why there is none. */
function nextMessage(child: ChildProcess, withinMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const finish = (answer: Answer) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      resolve(answer);
    };
    const onMessage = (value: unknown) => finish({ type: 'message', value });
    const onExit = (_code: number | null, signal: NodeJS.Signals | null) => finish({ type: 'ended', signal });
    const onError = () => finish({ type: 'ended', signal: null });
    const timer = setTimeout(() => finish({ type: 'too-late', signal: 'SIGKILL' }), withinMs);
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
  });
}

/** Makes a cover small; resolves to null for what is no picture. */
export const smallerBy =
  (reader: Pick<ImageReader, 'read'>) =>
  async (bytes: Uint8Array): Promise<Uint8Array | null> => {
    const image = await reader.read(bytes, 'covers');
    return typeof image === 'string' ? null : image.full;
  };

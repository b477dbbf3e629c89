/**
 * The process that decodes one picture at a time: starting it, and waiting for its next message. What its failures mean
 * for a picture is decided by image-reader.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { imageWorker } from '../../paths.ts';

export function forkWorker(killOverMb: number, killAfterCpuMs: number): ChildProcess {
  return fork(imageWorker, [String(killOverMb), String(killAfterCpuMs)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--disable-proto=delete', '--max-old-space-size=64'],
    // None of the server's settings: they hold secrets.
    env: {},
  });
}

type Answer =
  | { type: 'message'; value: unknown; signal?: undefined }
  | { type: 'too-late'; signal: 'SIGKILL' }
  | { type: 'ended'; signal: NodeJS.Signals | null };

/** The next message of the process, or why there is none. */
export function nextMessage(child: ChildProcess, withinMs: number): Promise<Answer> {
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

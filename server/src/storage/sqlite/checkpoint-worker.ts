/**
 * The thread that moves pages from the log (WAL) into the database file and syncs both, so that a slow disk does not
 * hold up the event loop.
 */
import { parentPort, workerData } from 'node:worker_threads';
import SqliteFile from 'better-sqlite3';
import { systemCode } from '../../system/ports.ts';
import type { CheckpointAnswer, CheckpointStep } from './checkpoints.ts';

/** A reader of another program may wait for the writes that wait for this: then it is tried again later. */
const waitMs = 100;

const file = new SqliteFile(workerData as string, { timeout: waitMs });
file.pragma('wal_autocheckpoint = 0');
// The log, before its pages are moved; the file, before they may be overwritten; the head of a log that begins anew.
file.pragma('synchronous = NORMAL');

const steps: Record<CheckpointStep, () => void> = {
  move: () => void checkpoint('passive'),
  restart: () => beginAnew('restart'),
  empty: () => beginAnew('truncate'),
};

/** True while a program still reads the old log. */
function checkpoint(mode: 'passive' | 'restart' | 'truncate'): boolean {
  isMoving = true;
  const [state] = file.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
  isMoving = false;
  return state?.busy !== 0;
}

/**
 * The first commit of a log that begins anew has to sync its head before its pages, or a power cut would leave an old
 * log that is overwritten in part. That commit is made here: it changes nothing.
 */
function beginAnew(mode: 'restart' | 'truncate'): void {
  if (checkpoint(mode)) return;
  file.pragma(`user_version = ${String(file.pragma('user_version', { simple: true }))}`);
}

let isMoving = false;

function answerTo(step: CheckpointStep): CheckpointAnswer {
  isMoving = false;
  try {
    steps[step]();
    return null;
  } catch (error) {
    return { code: systemCode(error), isMoving };
  }
}

parentPort?.on('message', (step: CheckpointStep | 'close') => {
  if (step === 'close') {
    file.close();
    parentPort?.close();
  } else parentPort?.postMessage(answerTo(step), []);
});

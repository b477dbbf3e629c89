/**
 * The thread that moves pages from the log (WAL) into the database file and syncs both, so that a slow disk does not
 * hold up the event loop.
 */
import { parentPort } from 'node:worker_threads';
import SqliteFile from 'better-sqlite3';
import { systemCode } from '../../system/ports.ts';
import type { CheckpointAnswer, CheckpointedFile, CheckpointStep } from './checkpoints.ts';

/** A reader of another program may wait for the writes that wait for this: then it is tried again later. */
const waitMs = 100;

function open(path: string): SqliteFile.Database {
  const file = new SqliteFile(path, { timeout: waitMs });
  file.pragma('wal_autocheckpoint = 0');
  // The log, before its pages are moved; the file, before they may be overwritten; the head of a log that begins anew.
  file.pragma('synchronous = NORMAL');
  return file;
}

let isMoving = false;

/** True while a program still reads the old log. */
function checkpoint(file: SqliteFile.Database, mode: 'passive' | 'restart' | 'truncate'): boolean {
  isMoving = true;
  const [state] = file.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
  isMoving = false;
  return state?.busy !== 0;
}

/**
 * The first commit of a log that begins anew has to sync its head before its pages, or a power cut would leave an old
 * log that is overwritten in part. That commit is made here: it changes nothing.
 */
function beginAnew(file: SqliteFile.Database, mode: 'restart' | 'truncate'): void {
  if (checkpoint(file, mode)) return;
  file.pragma(`user_version = ${String(file.pragma('user_version', { simple: true }))}`);
}

const steps: Record<CheckpointStep, (file: SqliteFile.Database) => void> = {
  move: (file) => void checkpoint(file, 'passive'),
  restart: (file) => beginAnew(file, 'restart'),
  empty: (file) => beginAnew(file, 'truncate'),
};

parentPort?.on('message', ({ path, port }: CheckpointedFile) => {
  let file: SqliteFile.Database | null = null;

  function answerTo(step: CheckpointStep): CheckpointAnswer {
    isMoving = false;
    try {
      steps[step]((file ??= open(path)));
      return null;
    } catch (error) {
      return { code: systemCode(error), isMoving };
    }
  }

  port.on('message', (step: CheckpointStep | 'close') => {
    if (step === 'close') {
      file?.close();
      port.close();
    } else port.postMessage(answerTo(step), []);
  });
});

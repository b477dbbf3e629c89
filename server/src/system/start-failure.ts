/**
 * Turns a failed start into one line for the operator: what is wrong and what to do.
 */
import { dirname } from 'node:path';
import { type Config, sqlitePathOf, WrongSetting } from '../config.ts';
import { adviceOn } from './outside.ts';
import { StoreFailure, type StoreFault } from './store/store-client.ts';
import { Failure } from './ports.ts';

/** A source of music that only the operator can mend. */
export class SourceFailure extends Failure {
  /** What the operator does about it. */
  readonly line: string;
  constructor(event: string, line: string, cause: unknown) {
    super('server/unavailable', event, cause);
    this.line = line;
  }
}

/** The error, and what caused it. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 3; at = at.cause) causes.push(at);
  return causes;
}

const codesOf = (error: unknown): string[] =>
  causesOf(error).flatMap((each) => ['code' in each ? String(each.code) : '', each.message]);

const storeLines: Readonly<Record<StoreFault, string>> = {
  away: 'The object store can not be reached at S3_URL. Start it, check the address, or unset S3_URL.',
  ...(Object.fromEntries(
    Object.entries(adviceOn).map(([cause, way]) => [cause, `The object store can not be reached at S3_URL. ${way}`]),
  ) as typeof adviceOn),
  address: 'What answers at S3_URL is no object store that speaks S3. Check the address and its port, or unset S3_URL.',
  key: 'The object store of S3_URL does not accept the key, or the key may not write, read, list and delete there. Check S3_ACCESS_KEY and S3_SECRET_KEY.',
  clock: 'The object store of S3_URL has another time than this machine. Set both clocks.',
  region: 'The object store of S3_URL is of another region. Set S3_REGION.',
  bucket: 'The object store has no bucket of the name in S3_URL. Make it, or check the address.',
  public: 'Anybody can read the bucket of S3_URL. Make it private: pictures of private chats would be in it.',
  full: 'The object store of S3_URL is full.',
  answer:
    'The object store of S3_URL does not give back what it was given. Check what stands before it, or unset S3_URL.',
};

/** One line without a stack; null for a bug, which is shown with its stack. */
export function startFailureLine(error: unknown, config: Config | null): string | null {
  if (error instanceof WrongSetting) return error.message;
  if (!config) return null;
  const said = codesOf(error);
  const has: Has = (...codes) => codes.some((code) => said.some((text) => text.startsWith(code)));
  if (has('http.not-listening')) return listenLine(config, has);
  if (has('limits.redis-unreachable', 'doorbell.unreachable')) {
    return redisLine(said.findLast((text) => text !== ''));
  }
  const storeFailure = causesOf(error).find((each) => each instanceof StoreFailure);
  if (storeFailure !== undefined) return storeLines[storeFailure.fault];
  const ofSource = causesOf(error).find((each) => each instanceof SourceFailure);
  if (ofSource !== undefined) return ofSource.line;
  if (has('database.newer-schema')) {
    return 'The database was made by a newer version of Tunemate. It was not changed; update Tunemate, or restore a backup of this version.';
  }
  if (has('database.before-0.2.0')) {
    return 'The database was made by a version of Tunemate before 0.2.0. It was not changed; make a backup, then run: npm run admin -- convert';
  }
  if (has('database.half-restored')) {
    return 'A restore was cut off before it was done. Run it once more, with --replace.';
  }
  if (has('clock.behind')) {
    const [now, used] = String(said.at(-1)).split('|');
    return `This machine's clock says ${String(now)} UTC, and the database was used until ${String(used)}. Set the clock, then start again. If it is right now and was ahead before: npm run admin -- clock`;
  }
  const lost = lostLine(sqlitePathOf(config.databaseUrl), said);
  if (lost !== null) return lost;
  if (has('database.of-another-program')) {
    return 'The database holds tables of another program. It was not changed; name another one, or another DATA_DIR.';
  }
  if (has('database.no-unicode')) {
    return `The database of DATABASE_URL can not keep all letters: its encoding is ${String(said.at(-1))}. Make one with: create database tunemate encoding 'UTF8' template template0.`;
  }
  if (has('processes.do-not-fit')) {
    return `This process does not fit one that is running: ${String(said.at(-1))} It was not started.`;
  }
  const path = sqlitePathOf(config.databaseUrl);
  if (path === null && has('42501')) {
    return `The account of DATABASE_URL has too few rights: ${String(said.at(-1))}. Make it the owner of the database and of its tables.`;
  }
  if (has('database.migration-failed') && !has(...noRoomCodes)) {
    return `The database could not be brought to this version: ${String(said.at(-1))}. It was not changed; keep the version before, and report this line.`;
  }
  return (
    databaseLine(path, has, said) ??
    folderLine(config, error) ??
    (error instanceof Failure ? `The server can not start: ${error.message}.` : null)
  );
}

/** A database that is gone, or that another server has: `said` names what is still there. */
function lostLine(path: string | null, said: readonly string[]): string | null {
  if (said.includes('database.in-use')) {
    return `Another server uses the database file ${String(path)}. Stop it, or set DATA_DIR to another folder.`;
  }
  const gone = ['missing', 'empty'].find((what) => said.includes(`database.${what}`));
  if (gone === undefined) return null;
  return `The database file ${String(path)} is ${gone}, and what belongs to it is still there: ${String(said.at(-1))}. Nothing was changed: put the file back, restore a backup with --replace, or move the rest away to start afresh.`;
}

/** What the system says of a file or folder in DATA_DIR: a link that leads to itself, a file system that takes no files. */
function folderLine({ dataDir }: Config, error: unknown): string | null {
  const found = causesOf(error).find((each) => 'path' in each && String(each.path).startsWith(dataDir));
  return found === undefined
    ? null
    : `Nothing can be written in ${dataDir} (${found.message.split(',', 1)[0] ?? ''}). Set DATA_DIR to another folder.`;
}

type Has = (...codes: string[]) => boolean;

/** The port and the address have the same codes for faults as files and the database. */
function listenLine({ port, host }: Config, has: Has): string | null {
  const portText = String(port);
  if (has('EADDRINUSE')) {
    return `Port ${portText} is in use by another program. Stop it, or set PORT to another number.`;
  }
  if (has('EACCES', 'EPERM')) {
    return `Port ${portText} can not be opened without the rights of root. Set PORT to 1024 or more, and let a proxy have port ${portText}.`;
  }
  if (has('EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_', 'EINVAL', 'EAFNOSUPPORT')) {
    return `HOST ${host} is not an address of this machine. Set it to one, or unset HOST to listen on all of them.`;
  }
  return null;
}

/** `why` is what the driver or PostgreSQL says, which never holds the password. */
export const unusableLine = (why = 'no answer'): string =>
  `PostgreSQL can not be used at DATABASE_URL (${why}). Is it running, and are name and password right?`;

/** Redis repeats the arguments of a command that it does not know, behind a comma: one may be the password. */
const redisLine = (why = ''): string =>
  `Redis can not be used at REDIS_URL (${why.split(',', 1)[0] ?? ''}). Is it running, and are name and password right? Unset REDIS_URL to run a single process.`;

/** SQLite shares an index with other programs in a file beside the database, for which there is no room either. */
const noRoomCodes = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'] as const;

function databaseLine(path: string | null, has: Has, said: string[]): string | null {
  if (path === null) {
    const isDatabase = has(
      'ECONN',
      'ENOTFOUND',
      '28',
      '3D000',
      '25006',
      'database.',
      'Connection terminated',
      'timeout',
    );
    return isDatabase ? unusableLine(said.findLast((text) => text !== '')) : null;
  }
  if (has('SQLITE_NOTADB', 'SQLITE_CORRUPT', 'database file') || said.some((text) => text.includes('malformed'))) {
    return `The database file ${path} is damaged. It was not changed; restore it from a backup, or move it away to start afresh.`;
  }
  if (has(...noRoomCodes)) return `The disk of ${path} is full.`;
  if (has('SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_IOERR', 'EACCES', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT')) {
    return `The database file ${path} can not be written. Check the rights of ${dirname(path)}, or set DATA_DIR to another folder.`;
  }
  if (has('SQLITE_BUSY')) return `Another program has locked the database file ${path}. Stop it, then start again.`;
  return null;
}

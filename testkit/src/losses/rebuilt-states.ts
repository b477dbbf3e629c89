/**
 * Power cuts, rebuilt: a program writes into a database while each of its writes and syncs is recorded; then, for many
 * moments, what the disk may have held had the power gone there. What was synced is there. Of what was not, each file has
 * nothing, everything, the first part, or any of its blocks, each as it was at any time since the sync; a block may be
 * torn. A name is there once its folder was synced after it was given, before that perhaps. In each state the database
 * must open, be whole, and hold what was acknowledged or shown before that moment; a picture or recording that has its
 * name is whole.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { neededByPrograms } from '../services/process.ts';
import { shimDisk } from '../services/disks/disk-shim.ts';
import { makeTempDir } from '../services/temp-dir.ts';
import { seededRandom } from '../seeded-ids.ts';
import { uploadedFiles, uploadsFolder } from './recorded-uploads.ts';

type Change = { type: 'write'; offset: number; bytes: Buffer } | { type: 'cut'; length: number };
interface Sync {
  type: 'begin' | 'end' | 'failed';
  sync: number;
}
type Naming = { type: 'made' } | { type: 'named'; to: string };
type Event = { path: string } & (Change | Sync | Naming);

export interface RebuiltStates {
  writes: number;
  syncs: number;
  /** Syncs that failed: what they should have written is dropped. */
  failedSyncs: number;
  /** Times that the log began anew. */
  beginnings: number;
  states: number;
  acknowledged: number;
  /** Of these rows with pictures or a recording. */
  uploads: number;
  /** What was wrong, with the moment and the kind of the state; the first ones. */
  faults: string[];
  faulty: number;
}

interface Options {
  /** Rows that each of three writers stores. */
  rounds: number;
  states: number;
  seed: number;
  /** Syncs fail now and then; or nothing is synced, which such a trial must find. */
  disk?: 'failing' | 'never-synced';
}

/** Throws `ServiceUnavailable` where this machine has no C compiler. */
export async function rebuildStates({ rounds, states, seed, disk: mode }: Options): Promise<RebuiltStates> {
  await using folder = await makeTempDir('power');
  await using data = await makeTempDir('power-data');
  await using rebuilt = await makeTempDir('power-state');
  const to = join(folder.path, 'record');
  const { env } = shimDisk(folder.path, { folder: data.path, to });
  const program = [join(import.meta.dirname, 'recorded-writer.ts'), data.path, String(rounds)];
  const child = spawn(process.execPath, [...program, mode ?? ''], {
    env: { ...neededByPrograms(), ...env },
    stdio: 'inherit',
  });
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, string | null];
  // It ends so where closing the file is not safe.
  const isKilled = mode === 'failing' && signal === 'SIGKILL';
  if (exitCode !== 0 && !isKilled) throw new Error(`the writer ended with ${String(exitCode ?? signal)}`);
  const events = readEvents(await readFile(to));
  const random = seededRandom(seed);
  const history = historyOf(events);
  const from = history.moments.findIndex(({ isReady }) => isReady);
  const report = { ...countsOf(events), states: 0, ...history.counts, faulty: 0 };
  const faults: string[] = [];
  const any = Array.from({ length: states }, () => from + Math.floor(random() * (events.length - from)));
  // Just after the first uploads were acknowledged their folder is new.
  const first = history.uploads.slice(0, firstMoments);
  const moments = [...any, ...first.flatMap((moment) => kinds.map(() => moment))];
  const disk = new Disk(events);
  for (const [index, moment] of moments.toSorted((a, b) => a - b).entries()) {
    disk.goTo(moment);
    const kind = kinds[index % kinds.length] ?? 'none';
    const found = await faultsOf(rebuilt.path, disk.cut(kind, random), history.at(moment));
    report.states += 1;
    if (found.length > 0) report.faulty += 1;
    if (faults.length < 10) faults.push(...found.map((fault) => `${String(moment)} ${kind}: ${fault}`));
  }
  return { ...report, faults };
}

const firstMoments = 4;
const kinds = ['none', 'all', 'first', 'blocks', 'torn'] as const;
type Kind = (typeof kinds)[number];

const ofSync: Readonly<Record<string, Sync['type']>> = { b: 'begin', e: 'end', f: 'failed' };

/** Lines of text, each followed by as many bytes as a write has. */
function readEvents(record: Buffer): Event[] {
  const events: Event[] = [];
  for (let from = 0; from < record.length;) {
    const end = record.indexOf('\n', from);
    const [what, sync, offset, length, path = ''] = record.toString('utf8', from, end).split(' ');
    from = end + 1;
    if (what === 'w') {
      events.push({ path, type: 'write', offset: Number(offset), bytes: record.subarray(from, from + Number(length)) });
      from += Number(length);
    } else if (what === 'n') {
      events.push({ path, type: 'named', to: record.toString('utf8', from, from + Number(length)) });
      from += Number(length);
    } else if (what === 'm') events.push({ path, type: 'made' });
    else if (what === 't') events.push({ path, type: 'cut', length: Number(offset) });
    else events.push({ path, type: ofSync[what ?? ''] ?? 'begin', sync: Number(sync) });
  }
  return events;
}

const [databaseName, logName, saidName] = ['tunemate.sqlite', 'tunemate.sqlite-wal', 'said'];

function countsOf(events: readonly Event[]) {
  const ofLog = events.filter(({ path }) => path === logName);
  return {
    writes: events.filter(({ type, path }) => type === 'write' && path !== saidName).length,
    syncs: events.filter(({ type }) => type === 'end').length,
    failedSyncs: events.filter(({ type }) => type === 'failed').length,
    beginnings: ofLog.filter((event) => event.type === 'write' && event.offset === 0).length,
  };
}

interface Known {
  stored: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
  count: number;
}

/** What was said by each moment. */
function historyOf(events: readonly Event[]) {
  const lines: { atEvent: number; line: string }[] = [];
  let isReady = false;
  const moments = events.map((event, atEvent) => {
    if (event.path === saidName && event.type === 'write') {
      for (const line of event.bytes.toString().trim().split('\n')) lines.push({ atEvent, line });
      isReady ||= lines.at(-1)?.line === 'ready';
    }
    return { isReady };
  });
  const uploads = lines.flatMap(({ atEvent, line }) =>
    line.startsWith('+') && uploadedFiles(line.slice(1)).length > 0 ? [atEvent] : [],
  );
  return {
    moments,
    uploads,
    counts: { acknowledged: lines.filter(({ line }) => !line.startsWith('?')).length, uploads: uploads.length },
    at(moment: number): Known {
      const [stored, deleted] = [new Set<string>(), new Set<string>()];
      let count = -1;
      for (const { atEvent, line } of lines) {
        if (atEvent > moment) break;
        const rest = line.slice(1);
        if (line.startsWith('+')) stored.add(rest);
        else if (line.startsWith('-')) deleted.add(rest);
        else if (line.startsWith('=') || line.startsWith('?')) count = Math.max(count, Number(rest));
      }
      return { stored, deleted, count };
    },
  };
}

const blockBytes = 4096;
const sectorBytes = 512;

interface Recorded {
  durable: Buffer;
  pending: Change[];
  /** How many of the pending changes each sync under way covers. */
  syncing: Map<number, number>;
}

/** Files as a power cut finds them. */
class Disk {
  readonly #events: readonly Event[];
  readonly #files = new Map<string, Recorded>();
  /** The name of the log is on the disk once its folder was synced after it was made. */
  #namesAreDurable = false;
  /** Names below other folders: those on the disk, and as they were when each sync of the folder began. */
  readonly #made = new Set<string>();
  readonly #madeDurably = new Set<string>();
  readonly #named = new Map<string, { begunAt: number; names: Names }>();
  readonly #naming = new Map<number, { begunAt: number; names: Names }>();
  #next = 0;

  constructor(events: readonly Event[]) {
    this.#events = events;
  }

  /** Up to and with this event. */
  goTo(moment: number): void {
    for (; this.#next <= moment; this.#next += 1) {
      const event = this.#events[this.#next];
      if (event) this.#apply(event);
    }
  }

  #apply(event: Event): void {
    if (event.type === 'made') return void this.#made.add(event.path);
    if (event.type === 'named') return this.#rename(event.path, event.to);
    if (event.path === '.') {
      if (event.type !== 'end') return;
      this.#namesAreDurable ||= this.#files.has(logName);
      for (const path of this.#made) this.#madeDurably.add(path);
      return;
    }
    if (this.#made.has(event.path)) return this.#syncNames(event.path, event as Sync);
    const file: Recorded = this.#files.get(event.path) ?? { durable: Buffer.alloc(0), pending: [], syncing: new Map() };
    this.#files.set(event.path, file);
    if (event.type === 'begin') file.syncing.set(event.sync, file.pending.length);
    else if (event.type === 'write' || event.type === 'cut') file.pending.push(event);
    else {
      const covered = file.syncing.get(event.sync) ?? 0;
      const isDropped = event.type === 'failed';
      const ended = file.pending.splice(0, covered).filter(({ type }) => !isDropped || type === 'cut');
      file.durable = changed(file.durable, ended);
      file.syncing.delete(event.sync);
      for (const [sync, count] of file.syncing) file.syncing.set(sync, Math.max(0, count - covered));
    }
  }

  #rename(from: string, to: string): void {
    const file = this.#files.get(from);
    if (!file) return;
    this.#files.delete(from);
    this.#files.set(to, file);
  }

  #namesIn(folder: string): Names {
    return new Map([...this.#files].filter(([path]) => path.startsWith(`${folder}/`)));
  }

  #syncNames(folder: string, { type, sync }: Sync): void {
    if (type === 'begin') this.#naming.set(sync, { begunAt: this.#next, names: this.#namesIn(folder) });
    const now = this.#naming.get(sync);
    // One that began earlier may end later.
    const isNewer = now !== undefined && now.begunAt > (this.#named.get(folder)?.begunAt ?? -1);
    if (type === 'end' && isNewer) this.#named.set(folder, now);
  }

  /** Below the folders that were made: with strict names alone, with all, or with any of both. */
  #uploads(kind: Kind, random: () => number): Names {
    const found: Names = new Map();
    for (const folder of this.#made) {
      if (!this.#madeDurably.has(folder) && (kind === 'none' || random() < 0.5)) continue;
      const [strict, now] = [this.#named.get(folder)?.names ?? new Map<string, Recorded>(), this.#namesIn(folder)];
      for (const path of new Set([...strict.keys(), ...now.keys()])) {
        const isNow = kind === 'all' || (kind !== 'none' && random() < 0.5);
        const file = (isNow ? now : strict).get(path);
        if (file) found.set(path, file);
      }
    }
    return found;
  }

  /** What the disk may hold. */
  cut(kind: Kind, random: () => number): Map<string, Buffer> {
    const state = new Map<string, Buffer>();
    for (const name of [databaseName, logName]) {
      const file = this.#files.get(name);
      if (!file || (name === logName && !this.#namesAreDurable && random() < 0.5)) continue;
      state.set(name, contentOf(file, kind, random));
    }
    for (const [path, file] of this.#uploads(kind, random)) state.set(path, contentOf(file, kind, random));
    return state;
  }
}

type Names = Map<string, Recorded>;

function contentOf({ durable, pending }: Recorded, kind: Kind, random: () => number): Buffer {
  const some = Math.floor(random() * (pending.length + 1));
  if (kind === 'none' || pending.length === 0) return durable;
  if (kind === 'all') return changed(durable, pending);
  if (kind === 'first') return changed(durable, pending.slice(0, some));
  return pieced(durable, pending, kind === 'blocks' ? blockBytes : sectorBytes, random);
}

const endOf = (change: Change): number => (change.type === 'cut' ? change.length : change.offset + change.bytes.length);

/** A copy of the file after these changes. */
function changed(file: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return file;
  const whole = Buffer.alloc(changes.reduce((most, change) => Math.max(most, endOf(change)), file.length));
  file.copy(whole);
  let { length } = file;
  for (const change of changes) {
    // What a file has lost reads as zeros once it is longer again.
    if (change.type === 'cut') whole.fill(0, change.length, Math.max(length, change.length));
    else change.bytes.copy(whole, change.offset);
    length = change.type === 'cut' ? change.length : Math.max(length, endOf(change));
  }
  return whole.subarray(0, length);
}

/** Each block as it was after any of the changes that are not synced; so is the length of the file. */
function pieced(durable: Buffer, pending: readonly Change[], bytes: number, random: () => number): Buffer {
  const versions: Buffer[] = [durable];
  // One version for each change would be too much memory: a few of them, in order.
  const every = Math.max(1, Math.ceil(pending.length / 16));
  for (let from = 0; from < pending.length; from += every)
    versions.push(changed(versions.at(-1) ?? durable, pending.slice(from, from + every)));
  const any = () => versions[Math.floor(random() * versions.length)] ?? durable;
  const whole = Buffer.alloc(any().length);
  for (let from = 0; from < whole.length; from += bytes)
    any()
      .subarray(from, from + bytes)
      .copy(whole, from);
  return whole;
}

async function faultsOf(folder: string, state: ReadonlyMap<string, Buffer>, known: Known): Promise<string[]> {
  const path = join(folder, databaseName);
  for (const name of [databaseName, logName, `${databaseName}-shm`]) await rm(join(folder, name), { force: true });
  for (const [name, bytes] of state) if (!name.includes('/')) await writeFile(join(folder, name), bytes);
  let file: SqliteFile.Database | null = null;
  try {
    file = new SqliteFile(path);
    const check = file.pragma('integrity_check(1)', { simple: true });
    const rows = new Map(file.prepare<[], [string, string]>('select key, value from settings').raw().all());
    const lost = [...known.stored].filter((key) => !known.deleted.has(key) && !rows.has(key) && !isDeletable(key));
    const back = [...known.deleted].filter((key) => rows.has(key));
    const count = Number(rows.get('count') ?? -1);
    return [
      ...(check === 'ok' ? [] : [String(check)]),
      ...lost.map((key) => `${key} is lost`),
      ...back.map((key) => `${key} is back`),
      ...uploadFaults(state, known),
      ...(count < known.count ? [`the count is ${String(count)} and was ${String(known.count)}`] : []),
    ];
  } catch (error) {
    return [String(error)];
  } finally {
    file?.close();
  }
}

/** What has its name is whole, and what was acknowledged has it. */
function uploadFaults(state: ReadonlyMap<string, Buffer>, { stored }: Known): string[] {
  const wrong = [...state].flatMap(([path, bytes]) => {
    if (!path.startsWith(`${uploadsFolder}/`) || path.endsWith('.part')) return [];
    const key = path
      .slice(uploadsFolder.length + 1)
      .replace(/\..*/u, '')
      .replace('x', '-');
    return uploadedFiles(key).some(([known, whole]) => known === path && whole.equals(bytes))
      ? []
      : [`${path} is not whole`];
  });
  const missing = [...stored].flatMap((key) =>
    uploadedFiles(key).flatMap(([path]) => (state.has(path) ? [] : [`${path} of ${key} is lost`])),
  );
  return [...wrong, ...missing];
}

/** Its deletion may have been on its way. */
const isDeletable = (key: string): boolean => Number(key.split('-')[1]) % 3 === 2;

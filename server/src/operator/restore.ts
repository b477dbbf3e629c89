/**
 * Brings an installation back from a backup. Everything is unpacked and checked first; what is there is replaced only
 * on request, and never under a server that runs.
 */
import { chmod, cp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { extract } from 'tar';
import { sqlitePathOf } from '../config.ts';
import { makePrivateFolder } from '../storage/private-files.ts';
import { objectStore, ownerOfImages } from '../system/store/object-store.ts';
import { systemCode } from '../system/ports.ts';
import { isHalfRestored, markRestore, replacedPrefix, restoreFolder, unmarkRestore } from '../storage/sqlite-folder.ts';
import { makeFolder, nameWhole, syncAll, syncFolder } from '../system/whole-files.ts';
import { knownMigrations } from '../storage/migrations/migrations.ts';
import { databaseNames, exists, imagesFolder, type Manifest, type Place, readCheckedManifest } from './backup.ts';
import { isNoRoom, OperatorFailure } from './operator-failure.ts';
import { type Contents, contentsOfSqlite, holdSqlite, postgresState, restorePostgres } from './database-copy.ts';

export interface Restored {
  manifest: Manifest;
  /** Where what was replaced is now; null when there was nothing. */
  keptIn: string | null;
}

/** Restores `file`. `replace` allows it where something is already. Throws OperatorFailure, having changed nothing. */
export async function restore(place: Place, file: string, replace: boolean, now: Date): Promise<Restored> {
  if (!(await exists(file))) throw new OperatorFailure(`There is no file ${file}.`);
  await makePrivateFolder(place.dataDir);
  const folder = join(place.dataDir, restoreFolder);
  const path = sqlitePathOf(place.databaseUrl);
  // One of an earlier version left no mark, and what shows that it was cut off is deleted now.
  if (path !== null && isHalfRestored(path)) await markRestore(dirname(path));
  await rm(folder, { recursive: true, force: true });
  const isEmpty = (await readdir(place.dataDir)).length === 0;
  await makeFolder(folder);
  try {
    unpack(file, folder);
    const manifest = await readCheckedManifest(folder);
    await keepOnlyNamed(folder, manifest);
    assertFits(path === null ? 'postgres' : 'sqlite', manifest);
    const unpacked = { place, folder, manifest, replace, isEmpty, now };
    if (path === null) return { manifest, keptIn: await putPostgres(unpacked) };
    assertSame(manifest, contentsOfSqlite(join(folder, databaseNames.sqlite)));
    return { manifest, keptIn: await putFile(path, unpacked) };
  } catch (error) {
    throw isNoRoom(error) ? new OperatorFailure(`The disk of ${place.dataDir} is full. Nothing was restored.`) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All at once: where the archive ends too early, `tar` would still be writing files when it has reported so. */
function unpack(file: string, folder: string): void {
  try {
    extract({
      ...{ file, cwd: folder, strict: true, sync: true },
      // A link or a device of an archive made by hand is no part of a backup.
      filter: (_path, entry) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory'),
    });
  } catch (error) {
    if (isNoRoom(error)) throw error;
    if (systemCode(error) === 'EACCES') {
      throw new OperatorFailure(
        `${basename(file)} can not be read by this user. Check its rights. Nothing was restored.`,
      );
    }
    throw new OperatorFailure(`${basename(file)} is not a backup of Tunemate, or it is damaged. Nothing was restored.`);
  }
}

/** Deletes what the manifest does not name, and gives the rest the modes that the server gives: 600, folders 700. */
async function keepOnlyNamed(folder: string, { files }: Manifest): Promise<void> {
  const named = new Set(files.map(({ path }) => normalize(path)));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o700);
    else if (entry.isFile() && named.has(relative(folder, path))) await chmod(path, 0o600);
    else await rm(path);
  }
}

function assertFits(wanted: Manifest['database'], manifest: Manifest): void {
  const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
  if (manifest.database !== wanted) {
    throw new OperatorFailure(
      `The backup is of ${names[manifest.database]}, and the settings name ${names[wanted]}. Nothing was restored.`,
    );
  }
  if (manifest.migrations.some((name) => !knownMigrations.includes(name))) {
    throw new OperatorFailure('The backup is of a newer version of Tunemate. Update Tunemate, then restore it.');
  }
}

function assertSame({ rows }: Manifest, found: Contents): void {
  const different = Object.keys(rows).filter((table) => found.rows[table] !== rows[table]);
  if (different.length === 0) return;
  throw new OperatorFailure(
    `The backup is damaged: rows of ${different.join(', ')} are missing. Nothing was restored.`,
  );
}

interface Unpacked {
  place: Place;
  folder: string;
  manifest: Manifest;
  replace: boolean;
  isEmpty: boolean;
  now: Date;
}

const running = 'A server or another program uses this database. Stop it, then restore.';

async function putFile(
  path: string,
  { place, folder, manifest, replace, isEmpty, now }: Unpacked,
): Promise<string | null> {
  const hold = (await exists(path)) ? holdSqlite(path) : { release: () => undefined };
  if (hold === null) throw new OperatorFailure(running);
  try {
    if (!isEmpty && !replace) throw notEmpty(place.dataDir);
    const old = [imagesFolder, basename(path), `${basename(path)}-wal`, `${basename(path)}-shm`];
    await giveImages(place, folder, manifest);
    // An earlier one that was cut off goes on to stop a start where this one fails.
    const wasCut = isHalfRestored(path);
    if (!wasCut) await markRestore(dirname(path));
    const keptIn = await inPlaceOf(place.dataDir, old, now, async () => {
      await putImages(place, folder);
      await nameWhole(join(folder, databaseNames.sqlite), path);
    }).catch(async (error: unknown) => {
      if (!wasCut) await unmarkRestore(dirname(path));
      throw error;
    });
    await unmarkRestore(dirname(path));
    return keptIn;
  } finally {
    hold.release();
  }
}

async function putPostgres({ place, folder, manifest, replace, isEmpty, now }: Unpacked): Promise<string | null> {
  const state = await postgresState(place.databaseUrl);
  if (state.isInUse) throw new OperatorFailure(running);
  if (!replace && !(state.isEmpty && isEmpty)) throw notEmpty(state.isEmpty ? place.dataDir : 'The database');
  await giveImages(place, folder, manifest);
  let keptIn: string | null = null;
  await restorePostgres(place.databaseUrl, join(folder, databaseNames.postgres), async (found) => {
    assertSame(manifest, found);
    keptIn = await inPlaceOf(place.dataDir, [imagesFolder], now, () => putImages(place, folder));
  });
  return keptIn;
}

/** Puts them into the object store, where there is one. What it has besides is removed once no row names it. */
async function giveImages({ s3 }: Place, folder: string, { files }: Manifest): Promise<void> {
  if (s3 === null) return;
  const store = objectStore(s3);
  for (const { path } of files.filter((each) => each.path.startsWith(`${imagesFolder}/`))) {
    if (!/^images\/[0-9A-Za-z]+(?:\.full|\.preview)?\.(?:webp|m4a)$/.test(path)) {
      throw new OperatorFailure(`The backup is damaged: ${path} is no picture. Nothing was restored.`);
    }
    await store.putFile(path, join(folder, path));
  }
  // The restored database is noted there once its server runs.
  await store.remove(ownerOfImages);
}

/** There are none in the folder where the object store has them, or the backup has none. */
async function putImages({ s3, dataDir }: Place, folder: string): Promise<void> {
  const images = join(folder, imagesFolder);
  if (s3 === null && (await exists(images))) await move(images, join(dataDir, imagesFolder));
}

const notEmpty = (what: string) =>
  new OperatorFailure(`${what} is not empty. Add --replace to put the backup in place of what is there.`);

/**
 * Moves what is there of `names` into a folder beside it, and answers which; then `put` puts others in place. Where one
 * of both fails, everything is as it was.
 */
async function inPlaceOf(
  dataDir: string,
  names: readonly string[],
  now: Date,
  put: () => Promise<void>,
): Promise<string | null> {
  const there = await readdir(dataDir);
  const present = names.filter((name) => there.includes(name));
  const aside = join(dataDir, `${replacedPrefix}${now.toISOString().replaceAll(/[:.]/g, '-')}`);
  const moved: string[] = [];
  if (present.length > 0) await makeFolder(aside);
  try {
    for (const name of present) {
      await move(join(dataDir, name), join(aside, name));
      moved.push(name);
    }
    await put();
  } catch (error) {
    for (const name of moved) {
      await clear(join(dataDir, name));
      await move(join(aside, name), join(dataDir, name));
    }
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
  return present.length === 0 ? null : aside;
}

/** The folder of pictures may be a disk of its own, which several machines share: it stays, and what is in it moves. */
const ofAnotherDisk: readonly unknown[] = ['EBUSY', 'EXDEV'];

async function move(from: string, to: string): Promise<void> {
  try {
    await nameWhole(from, to);
  } catch (error) {
    if (!ofAnotherDisk.includes(systemCode(error))) throw error;
    await cp(from, to, { recursive: true, preserveTimestamps: true });
    await syncAll(to);
    await syncFolder(dirname(to));
    await clear(from);
  }
}

/** Deletes it, or all that is in it where a disk is mounted there. */
async function clear(path: string): Promise<void> {
  const inside = await readdir(path).catch(() => []);
  for (const name of inside) await rm(join(path, name), { recursive: true, force: true });
  await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
    if (systemCode(error) !== 'EBUSY') throw error;
  });
}

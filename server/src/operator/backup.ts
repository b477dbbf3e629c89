/**
 * Makes one file of everything that the installation has: the database as it was at one moment, and the pictures that
 * it names, from the data folder or the object store. The server goes on meanwhile. Mails, tokens of other
 * services and the operator's own media are no part of it.
 */
import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { chmod, copyFile, link, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import { z } from 'zod';
import { type Config, sqlitePathOf } from '../config.ts';
import { chunked } from '../storage/queries.ts';
import { damageOf } from '../system/media-ends.ts';
import { type ObjectStore, objectStore } from '../system/store/object-store.ts';
import { systemCode } from '../system/ports.ts';
import { asError } from '../system/printable.ts';
import { makeFolder, nameWhole } from '../system/whole-files.ts';
import { isNoRoom, OperatorFailure } from './operator-failure.ts';
import {
  type Contents,
  contentsOfSqlite,
  copySqlite,
  dumpPostgres,
  emptySqlite,
  withoutRows,
} from './database-copy.ts';

export type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>;

/**
 * What opens an account by itself and lies in the clear: tokens of other services, which people are asked for again, and
 * mails with links, which are sent within a day or not at all.
 */
const leftOut = ['listens_tokens', 'mails'];

/** Names within a backup. */
export const databaseNames = { sqlite: 'tunemate.sqlite', postgres: 'tunemate.dump' };
export const imagesFolder = 'images';

interface BackedUp {
  manifest: Manifest;
  /** The pictures and recordings that the database names and that lack a file, and where that was looked for. */
  lacking: { pictures: string[]; folder: string };
  /** The names of files that are not whole. They are part of the backup as they are. */
  damaged: string[];
}

const begunName = /^\.tunemate-backup-\w+(?:\.part)?$/u;
/** No backup takes so long: it was killed. */
const leftAfterMs = 12 * 60 * 60 * 1000;
/** What the backup that is being made has written beside its file. */
const begun = new Set<string>();

/** For a program that a signal ends in the middle: what it wrote holds the words of all users. */
export function removeBegun(): void {
  for (const path of begun) rmSync(path, { recursive: true, force: true });
}

async function removeLeftOver(beside: string, nowMs: number): Promise<void> {
  for (const name of await readdir(beside)) {
    if (!begunName.test(name)) continue;
    const found = await stat(join(beside, name)).catch(() => null);
    if (found && found.mtimeMs < nowMs - leftAfterMs) await rm(join(beside, name), { recursive: true, force: true });
  }
}

/** Writes the backup to `file`, which must not exist. Throws OperatorFailure. */
export async function backUp(place: Place, file: string, now: Date): Promise<BackedUp> {
  if (await exists(file)) throw new OperatorFailure(`${file} exists already. Name another file.`);
  const folder = await mkdtemp(join(dirname(file), '.tunemate-backup-')).catch(() => {
    throw new OperatorFailure(`Nothing can be written in ${dirname(file)}. Name a file in another folder.`);
  });
  begun.add(folder);
  try {
    await removeLeftOver(dirname(file), now.getTime());
    const path = sqlitePathOf(place.databaseUrl);
    const database = path === null ? 'postgres' : 'sqlite';
    const copy = join(folder, databaseNames[database]);
    const contents =
      path === null ? await dumpPostgres(place.databaseUrl, copy, leftOut) : await copySqliteFile(path, copy);
    const from = join(place.dataDir, imagesFolder);
    const store = place.s3 && objectStore(place.s3);
    const images = await gatherImages({ from, store, to: join(folder, imagesFolder) }, contents.images);
    const paths = [databaseNames[database], ...images.names.map((name) => `${imagesFolder}/${name}`)];
    const damaged: string[] = [];
    for (const name of images.names)
      if ((await damageOf(join(folder, imagesFolder, name))) !== null) damaged.push(name);
    const files: Manifest['files'] = [];
    for (const each of paths) files.push(await describeFile(folder, each));
    const { migrations, rows } = contents;
    const madeAt = now.toISOString();
    const manifest: Manifest = { program: 'tunemate', format: backupFormat, madeAt, database, migrations, rows, files };
    await writeFile(join(folder, manifestName), JSON.stringify(manifest, null, 1));
    await pack(folder, [manifestName, ...paths], file);
    return { manifest, lacking: { pictures: images.lacking, folder: store ? 'the object store' : from }, damaged };
  } catch (error) {
    throw isNoRoom(error) ? new OperatorFailure(`The disk of ${dirname(file)} is full. No backup was written.`) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
    begun.delete(folder);
  }
}

async function copySqliteFile(from: string, to: string): Promise<Contents> {
  if (!(await exists(from))) {
    throw new OperatorFailure(`There is no database at ${from}. Set DATA_DIR to the folder of the server.`);
  }
  await copySqlite(from, to).catch((error: unknown) => {
    if (isNoRoom(error)) throw error;
    if (systemCode(error) === 'SQLITE_IOERR_SHMSIZE') {
      throw new OperatorFailure(
        `The disk of ${dirname(from)} is full, and the database on it can not be opened. Make some room first.`,
      );
    }
    throw new OperatorFailure(`The database ${from} can not be copied: ${asError(error).message}.`);
  });
  const contents = contentsOfSqlite(to);
  emptySqlite(to, leftOut);
  return withoutRows(contents, leftOut);
}

interface Gathering {
  from: string;
  store: ObjectStore | null;
  to: string;
}

const gatheredAtOnce = 8;

/** Answers the names of the files, and which pictures and recordings lack one. */
async function gatherImages(
  gathering: Gathering,
  images: readonly string[],
): Promise<{ names: string[]; lacking: string[] }> {
  const { from, store, to } = gathering;
  if (images.length > 0 && store === null && !(await exists(from))) {
    throw new OperatorFailure(
      `There is no folder ${from}, and the database names ${String(images.length)} pictures. Set DATA_DIR to the folder of the server, or make this one if they are lost.`,
    );
  }
  await makeFolder(to);
  const names: string[] = [];
  const lacking: string[] = [];
  for (const some of chunked(images, gatheredAtOnce)) {
    const gathered = some.map(async (image) => ({ image, ...(await gatherOne(gathering, image)) }));
    for (const found of await Promise.all(gathered)) {
      names.push(...found.names);
      if (!found.isWhole) lacking.push(found.image);
    }
  }
  return { names, lacking };
}

/** The two files of a picture, or the one of a recording. */
async function gatherOne(
  { from, store, to }: Gathering,
  image: string,
): Promise<{ names: string[]; isWhole: boolean }> {
  const gatherNamed = async (name: string): Promise<boolean> =>
    (await gather(join(from, name), join(to, name))) ||
    (store !== null && (await store.getFile(`${imagesFolder}/${name}`, join(to, name))));
  const names: string[] = [];
  const [full, preview, recording] = [`${image}.full.webp`, `${image}.preview.webp`, `${image}.m4a`];
  for (const name of [full, preview]) if (await gatherNamed(name)) names.push(name);
  if (names.length > 0) return { names, isWhole: names.length === 2 };
  const isVoice = await gatherNamed(recording);
  return { names: isVoice ? [recording] : [], isWhole: isVoice };
}

/** Links the file where it can: one that is deleted meanwhile stays in the backup. False when there is none. */
async function gather(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target).catch(() => copyFile(source, target));
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    if (isNoRoom(error)) throw error;
    throw new OperatorFailure(`The picture ${source} can not be copied: ${asError(error).message}.`);
  }
}

/** The file appears under its name when it is whole and on the disk. */
async function pack(folder: string, paths: string[], file: string): Promise<void> {
  const part = `${folder}.part`;
  begun.add(part);
  try {
    await create({ cwd: folder, file: part, gzip: { level: 6 }, portable: true, mode: 0o600 }, paths);
    await chmod(part, 0o600);
    await nameWhole(part, file);
  } finally {
    await rm(part, { force: true });
    begun.delete(part);
  }
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The one form of backups so far. */
const backupFormat = 1;
const manifestName = 'manifest.json';

const manifestShape = z.object({
  program: z.literal('tunemate'),
  format: z.number().int(),
  madeAt: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  /** The migrations that the database had. */
  migrations: z.array(z.string()),
  /** Rows of each table. */
  rows: z.record(z.string(), z.number().int()),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestShape>;
type FileLine = Manifest['files'][number];

/** Size and hash of a file in `folder`. */
async function describeFile(folder: string, path: string): Promise<FileLine> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, path)), hash);
  return { path, bytes: (await stat(join(folder, path))).size, sha256: hash.digest('hex') };
}

/** Reads the manifest of an unpacked backup and compares every file with it. Throws OperatorFailure. */
export async function readCheckedManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest.format !== backupFormat) {
    throw new OperatorFailure('This backup was made by a newer version of Tunemate. Update Tunemate, then restore it.');
  }
  for (const line of manifest.files) {
    const found = await describeFile(folder, line.path).catch(() => null);
    if (found?.sha256 !== line.sha256 || found.bytes !== line.bytes) {
      throw new OperatorFailure(`The backup is damaged: ${line.path} is not as it was. Nothing was restored.`);
    }
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => '');
  try {
    return manifestShape.parse(JSON.parse(text));
  } catch {
    throw new OperatorFailure('This file is not a backup of Tunemate, or it is damaged. Nothing was restored.');
  }
}

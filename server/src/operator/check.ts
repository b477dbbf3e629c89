/**
 * Reads everything that an installation stores, changes nothing and says what is wrong: every page, row and index of the
 * database, and every picture and recording that it names.
 */
import { join } from 'node:path';
import { type Config, sqlitePathOf } from '../config.ts';
import { chunked } from '../storage/queries.ts';
import { damageOf } from '../system/media-ends.ts';
import { type ObjectStore, objectStore } from '../system/store/object-store.ts';
import { exists, imagesFolder, type Place } from './backup.ts';
import { checkPostgres, checkSqlite } from './database-copy.ts';
import { OperatorFailure } from './operator-failure.ts';

interface Checked {
  tables: number;
  rows: number;
  files: number;
  /** A line each. */
  wrong: string[];
}

const filesAtOnce = 8;

/** Throws OperatorFailure where there is no database to read. */
export async function check({ dataDir, databaseUrl, s3 }: Place): Promise<Checked> {
  const path = sqlitePathOf(databaseUrl);
  if (path !== null && !(await exists(path))) {
    throw new OperatorFailure(`There is no database at ${path}. Set DATA_DIR to the folder of the server.`);
  }
  const { rows, images, wrong } = path === null ? await checkPostgres(databaseUrl) : checkSqlite(path);
  const files = new Map<string, FileState>();
  const look = filesOf(join(dataDir, imagesFolder), s3);
  for (const some of chunked(images, filesAtOnce)) {
    const found = await Promise.all(some.map((image) => look(image)));
    for (const each of found.flat()) files.set(each.name, each.state);
  }
  const bad = [...files].flatMap(([name, state]) => (state === null ? [] : [`${imagesFolder}/${name} is ${state}.`]));
  const counts = Object.values(rows);
  return {
    tables: counts.length,
    rows: counts.reduce((sum, each) => sum + each, 0),
    files: files.size,
    wrong: [...wrong, ...bad],
  };
}

type FileState = Awaited<ReturnType<typeof damageOf>>;

/** What is wrong with the files of one picture or recording. Those of an object store are there or not. */
function filesOf(folder: string, s3: Config['s3']) {
  const store: ObjectStore | null = s3 && objectStore(s3);
  const stateOf = async (name: string): Promise<FileState> => {
    const here = await damageOf(join(folder, name));
    if (here !== 'missing' || store === null) return here;
    return (await store.sizeOf(`${imagesFolder}/${name}`)) === null ? 'missing' : null;
  };
  return async (image: string): Promise<{ name: string; state: FileState }[]> => {
    const named = async (name: string) => ({ name, state: await stateOf(name) });
    const recording = await named(`${image}.m4a`);
    if (recording.state !== 'missing') return [recording];
    return [await named(`${image}.full.webp`), await named(`${image}.preview.webp`)];
  };
}

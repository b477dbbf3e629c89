/**
 * What a backup says of itself: the schema, how many rows each table has, and each file with its size and hash. It
 * knows files, and no database.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { OperatorFailure } from './operator-failure.ts';

/** The one form of backups so far. */
export const backupFormat = 1;
export const manifestName = 'manifest.json';

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
export async function describeFile(folder: string, path: string): Promise<FileLine> {
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

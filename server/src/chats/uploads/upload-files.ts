/**
 * The files of what was uploaded for chats: two of a picture and one of a recording, in one folder that all processes of
 * the installation share, or in an object store (`stored-upload-files.ts`).
 */
import { open, opendir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type FilePart, readRange } from '../../http/byte-range.ts';
import { isWhole } from '../../system/media-ends.ts';
import { systemCode, Failure } from '../../system/ports.ts';
import { makeFolder, writeWhole } from '../../system/whole-files.ts';

/** How the names of the files end. */
export const endings = { full: 'full.webp', preview: 'preview.webp', voice: 'm4a', recorded: 'recorded' } as const;
/** `recorded` is a recording as it was sent, while it is decoded. */
export type FileKind = keyof typeof endings;
const kinds = Object.keys(endings) as FileKind[];

const fileName = new RegExp(String.raw`^([0-9A-Za-z]+)\.(?:${Object.values(endings).join('|')})(?:\.part)?$`);

/** Every `uploadId` must come from the database. What fails outside throws `Failure`. */
export interface UploadFiles {
  save(uploadId: string, contents: Partial<Record<FileKind, Uint8Array>>): Promise<void>;
  /** `range` is the header. Null when there is no such file, or none that is whole. */
  open(uploadId: string, kind: FileKind, range?: string): Promise<FilePart | null>;
  /** Does nothing where there is none. */
  remove(uploadIds: readonly string[]): Promise<void>;
  /** The ids of all files not touched since `beforeMs`, a page at a time; one may occur twice. */
  untouchedSince(beforeMs: number): AsyncIterable<string[]>;
  /** Which database names these files; null until that is noted. */
  owner(): Promise<string | null>;
  noteOwner(databaseId: string): Promise<void>;
  /** The path of a file of this machine for a recording that is decoded. */
  workFile(uploadId: string): Promise<string>;
}

const filesPerPage = 500;
const ownerFile = 'of-database';

/** Null where there is none, which may be deleted meanwhile or lost, or none that is whole. */
async function openFile(
  path: string,
  range: string | undefined,
  damaged: (name: string) => void,
): Promise<FilePart | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  if (!(await isWhole(file, path).catch(() => false))) {
    await file.close();
    damaged(basename(path));
    return null;
  }
  const { size } = await file.stat();
  const asked = readRange(range, size);
  if (asked.type === 'unsatisfiable') {
    await file.close();
    return { size, part: null, bytes: null };
  }
  const part = asked.type === 'part' ? asked.range : null;
  return { size, part, bytes: file.createReadStream({ ...(part && { start: part.first, end: part.last }) }) };
}

/** `folder` is made when first needed. `damaged` is called with the name of a file that is not sent because it is not whole. */
export function uploadFiles(
  folder: string,
  damaged: (name: string) => void = () => undefined,
): UploadFiles & { pathOf(uploadId: string, kind: FileKind): string } {
  /** Absolute. */
  const pathOf = (uploadId: string, kind: FileKind) => join(folder, `${uploadId}.${endings[kind]}`);

  /** A file that was deleted meanwhile counts as touched. */
  async function wasTouched(name: string, sinceMs: number): Promise<boolean> {
    const found = await stat(join(folder, name)).catch(() => null);
    return found === null || found.mtimeMs >= sinceMs;
  }

  return {
    pathOf,
    async workFile(uploadId) {
      await makeFolder(folder);
      return pathOf(uploadId, 'recorded');
    },
    owner: () =>
      readFile(join(folder, ownerFile), 'utf8').catch((error: unknown) => {
        if (systemCode(error) === 'ENOENT') return null;
        throw error;
      }),
    async noteOwner(databaseId) {
      await makeFolder(folder);
      await writeWhole(join(folder, ownerFile), databaseId);
    },
    open: (uploadId, kind, range) => openFile(pathOf(uploadId, kind), range, damaged),
    async save(uploadId, contents) {
      try {
        await makeFolder(folder);
        for (const kind of kinds) {
          const bytes = contents[kind];
          if (bytes) await writeWhole(pathOf(uploadId, kind), bytes);
        }
      } catch (error) {
        const isFull = ['ENOSPC', 'EDQUOT'].includes(systemCode(error));
        throw new Failure(isFull ? 'server/storage-full' : 'server/unavailable', 'upload.not-saved', error);
      }
    },
    async remove(uploadIds) {
      for (const uploadId of uploadIds) {
        for (const kind of kinds) {
          await rm(pathOf(uploadId, kind), { force: true });
          await rm(`${pathOf(uploadId, kind)}.part`, { force: true });
        }
      }
    },
    async *untouchedSince(beforeMs) {
      const entries = await opendir(folder).catch(() => null);
      if (entries === null) return;
      let found: string[] = [];
      for await (const { name } of entries) {
        const uploadId = fileName.exec(name)?.[1];
        if (uploadId === undefined || (await wasTouched(name, beforeMs))) continue;
        found.push(uploadId);
        if (found.length < filesPerPage) continue;
        yield found;
        found = [];
      }
      yield found;
    },
  };
}

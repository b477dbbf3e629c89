/**
 * The files of what was uploaded for chats, in the operator's object store. What the folder of this machine still has, as
 * from before the store was set, is served from there and deleted with it.
 */
import { text } from 'node:stream/consumers';
import { type FilePart, readRange } from '../../http/byte-range.ts';
import { chunked } from '../../storage/queries.ts';
import { type ObjectStore, ownerOfImages } from '../../system/store/object-store.ts';
import { Failure } from '../../system/ports.ts';
import { StoreFailure } from '../../system/store/store-client.ts';
import { endings, type FileKind, type UploadFiles } from './upload-files.ts';

/** A recording that is decoded stays on this machine. */
const storedKinds = ['full', 'preview', 'voice'] as const satisfies readonly FileKind[];
const removedAtOnce = 8;
const namePattern = new RegExp(String.raw`^([0-9A-Za-z]+)\.(?:${storedKinds.map((kind) => endings[kind]).join('|')})$`);

export function storedUploadFiles(store: ObjectStore, folder: UploadFiles): UploadFiles {
  const keyOf = (uploadId: string, kind: FileKind) => `images/${uploadId}.${endings[kind]}`;

  async function openStored(key: string, range: string | undefined): Promise<FilePart | null> {
    // Stores read ranges differently, so each is asked for by its positions; a size that is not known yet comes first.
    const isPart = readRange(range, Number.MAX_SAFE_INTEGER).type !== 'whole';
    const size = isPart ? await store.sizeOf(key) : null;
    if (size !== null) {
      const asked = readRange(range, size);
      if (asked.type === 'unsatisfiable') return { size, part: null, bytes: null };
      if (asked.type === 'part') {
        const found = await store.get(key, asked.range);
        return found && { size, part: asked.range, bytes: found.stream };
      }
    }
    // Also where no size was found: only this answer says whether there is a bucket.
    const found = await store.get(key);
    return found && { size: found.bytes, part: null, bytes: found.stream };
  }

  return {
    workFile: (uploadId) => folder.workFile(uploadId),
    async owner() {
      try {
        const found = await store.get(ownerOfImages);
        return found && (await text(found.stream));
      } catch (error) {
        throw failure('upload.not-read', error);
      }
    },
    noteOwner: (databaseId) =>
      store.put(ownerOfImages, Buffer.from(databaseId)).catch((error: unknown) => {
        throw failure('upload.not-saved', error);
      }),
    async save(uploadId, contents) {
      try {
        for (const kind of storedKinds) {
          const bytes = contents[kind];
          if (bytes) await store.put(keyOf(uploadId, kind), bytes);
        }
      } catch (error) {
        throw failure('upload.not-saved', error);
      }
    },
    async open(uploadId, kind, range) {
      const here = await folder.open(uploadId, kind, range);
      if (here !== null) return here;
      return await openStored(keyOf(uploadId, kind), range).catch((error: unknown) => {
        throw failure('upload.not-read', error);
      });
    },
    async remove(uploadIds) {
      const keys = uploadIds.flatMap((uploadId) => storedKinds.map((kind) => keyOf(uploadId, kind)));
      try {
        for (const some of chunked(keys, removedAtOnce)) await Promise.all(some.map((key) => store.remove(key)));
      } catch (error) {
        throw failure('upload.not-removed', error);
      }
      await folder.remove(uploadIds);
    },
    async *untouchedSince(beforeMs) {
      yield* folder.untouchedSince(beforeMs);
      try {
        for await (const page of store.list('images')) {
          yield page.flatMap(({ name, modifiedMs }) => {
            const uploadId = namePattern.exec(name)?.[1];
            return uploadId === undefined || modifiedMs >= beforeMs ? [] : [uploadId];
          });
        }
      } catch (error) {
        throw error instanceof StoreFailure ? failure('upload.not-listed', error) : error;
      }
    },
  };
}

/** The fault, which is the cause, is for the log. */
function failure(event: string, error: unknown): Failure {
  const isFull = error instanceof StoreFailure && error.fault === 'full';
  return new Failure(isFull ? 'server/storage-full' : 'server/unavailable', event, error);
}

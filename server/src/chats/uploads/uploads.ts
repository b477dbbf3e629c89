/**
 * What is uploaded for a chat before it is sent, pictures and recordings: reserves a place, stores the files once they are
 * decoded, and deletes what is not sent or was deleted with its message.
 */
import { pairIdOf, readPairId } from '@tunemate/domain';
import { type Result, type Uid, userStream } from '@tunemate/protocol';
import type { FilePart } from '../../http/byte-range.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import { peopleOf } from '../../storage/people.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { sharedKey } from '../../storage/settings.ts';
import { accept, type Clock, type Ids, type Log, refuse } from '../../system/ports.ts';
import type { KeptBytes } from '../kept-bytes.ts';
import { messageNumbered } from '../messages-store.ts';
import type { FileKind, UploadFiles } from './upload-files.ts';
import {
  countUnsent,
  dropUploads,
  fillUpload,
  giveUpOldestUnsent,
  giveUpUnsent,
  placeOfUpload,
  reserveUpload,
  type UploadKind,
  type UploadRow,
  uploadsAmong,
  uploadsGoing,
  weighUpload,
} from './uploads-store.ts';

/** Uploaded and not yet sent, per user; more would use uploads as storage. */
const mostUnsent = 10;
const minuteMs = 60 * 1000;
/** A page sends at once what it has uploaded: what is older was left, and gives way to what comes. */
const leftAfterMs = minuteMs;
const unsentKeptMs = 24 * 60 * minuteMs;
/** Far longer than decoding takes: after it the process that reserved the place must have ended. */
const reservedKeptMs = 15 * minuteMs;
/** An older file without a row was left by a process that ended between the two. */
const orphanedFileMs = 60 * minuteMs;
const deletedPerRound = 500;

interface UploadsDeps {
  record: StreamRecord;
  files: UploadFiles;
  kept: KeptBytes;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** What is stored of an upload, and the answer to it. */
interface Decoded<Value> {
  contents: Partial<Record<FileKind, Uint8Array>>;
  row: UploadRow;
  value: Value;
}

interface Upload<Value> {
  uid: Uid;
  other: Uid;
  /** Decodes what was sent, for this id; refuses what can't be. */
  decode: (uploadId: string) => Promise<Result<Decoded<Value>>>;
}

/** `range` is the header of a request. Null when the file was deleted meanwhile. */
export type OpenUpload = (range?: string) => Promise<FilePart | null>;

export type UploadsService = ReturnType<typeof uploadsService>;

export function uploadsService(deps: UploadsDeps) {
  const { record, files, kept, clock, ids, log } = deps;

  /** `weight` is what was found of the bytes before they are decoded; people learn of it once they may send it. */
  async function store<Value>(weight: Result<unknown>, { uid, other, decode }: Upload<Value>): Promise<Result<Value>> {
    const place = await record.write([userStream(uid)], async ({ db, nowMs }): Promise<Result<string>> => {
      const people = await peopleOf(db, [uid, other]);
      // Deleted while the body came.
      if (!people.has(uid)) return refuse('auth/required');
      if (!people.has(other)) return refuse('access/not-found');
      if (await isBlockedBetween(db, uid, other)) return refuse('access/forbidden');
      if (!weight.ok) return weight;
      const isFull = (await countUnsent(db, uid)) >= mostUnsent;
      if (isFull && !(await giveUpOldestUnsent(db, uid, nowMs - leftAfterMs))) return refuse('limit/too-many');
      const uploadId = ids.newId();
      const upload = { image_id: uploadId, pair_id: pairIdOf(uid, other), uploader: uid, created_at_ms: nowMs };
      await reserveUpload(db, upload);
      return accept(uploadId);
    });
    return place.ok ? await fill(uid, place.value, decode) : place;
  }

  /** Decodes it into its reserved place; on failure frees the place. */
  async function fill<Value>(uid: Uid, uploadId: string, decode: Upload<Value>['decode']): Promise<Result<Value>> {
    let isKept = false;
    try {
      const decoded = await decode(uploadId);
      if (!decoded.ok) return decoded;
      const { contents, row, value } = decoded.value;
      const bytes = Object.values(contents).reduce((sum, { byteLength }) => sum + byteLength, 0);
      return await kept.reserve(uid, bytes, async ({ mayStore, stored }): Promise<Result<Value>> => {
        // In one write: others of this person may be stored at the same moment, by other processes too.
        const weighed = await record.write([userStream(uid)], async ({ db }) => {
          const answer = await mayStore(db, bytes, 'database');
          if (answer.ok) await weighUpload(db, uploadId, bytes);
          return answer;
        });
        if (!weighed.ok) return weighed;
        await files.save(uploadId, contents);
        log.debug({ uploadId, bytes }, 'chat.uploaded');
        isKept = await fillUpload(record.db, uploadId, row);
        if (isKept) stored(bytes);
        return isKept ? accept(value) : refuse('server/unavailable');
      });
    } finally {
      // Where it fails, the place is given up later, and its files with it.
      if (!isKept)
        await forget({ record, files }, [uploadId]).catch((error: unknown) =>
          log.warn({ err: error, uploadId }, 'chat.upload-left'),
        );
    }
  }

  /**
   * What opens the file, for those of the two who can read its message; others get the same answer as for an unknown id.
   */
  async function locate(uid: Uid, kind: UploadKind, uploadId: string, file: FileKind): Promise<Result<OpenUpload>> {
    // PostgreSQL fails on a text with NUL.
    const place = uploadId.includes('\0') ? null : await placeOfUpload(record.db, kind, uploadId);
    if (place === null || !readPairId(place.pairId, uid)) return refuse('access/not-found');
    const { pairId, number } = place;
    const message = number === null ? null : await messageNumbered(record.db, uid, pairId, number);
    if (number !== null && message?.state !== 'shown') return refuse('access/not-found');
    return accept((range) => files.open(uploadId, file, range));
  }

  return {
    store,
    locate,
    sweep: () => sweep({ record, files, clock, log }),
    removeGoing: () => removeGoing({ record, files }),
  };
}

/** Removes the files first: after a crash in between the row is still there, so it is found again. */
async function forget({ record, files }: Pick<UploadsDeps, 'record' | 'files'>, uploadIds: readonly string[]) {
  await files.remove(uploadIds);
  await dropUploads(record.db, uploadIds);
}

/**
 * Deletes what was uploaded and never sent, and files that belong to none of it; to a database that a wrong setting names
 * those of the real one would all look left over. Runs once an hour.
 */
async function sweep({ record, files, clock, log }: Omit<UploadsDeps, 'kept' | 'ids'>): Promise<void> {
  const nowMs = clock.now();
  await giveUpUnsent(record.db, { unsentMs: nowMs - unsentKeptMs, reservedMs: nowMs - reservedKeptMs });
  await removeGoing({ record, files });
  const own = await sharedKey(record.db, 'database-id');
  let owner = await files.owner();
  for await (const uploadIds of files.untouchedSince(nowMs - orphanedFileMs)) {
    const known = await uploadsAmong(record.db, uploadIds);
    // An earlier version noted no owner.
    if (owner === null && known.size > 0) await files.noteOwner((owner = own));
    if (owner === own) await files.remove(uploadIds.filter((uploadId) => !known.has(uploadId)));
  }
  if (owner === null || owner === own) return;
  const advice = 'check DATABASE_URL, DATA_DIR and S3_URL; files that this database does not name are left alone';
  log.warn({ advice }, 'chat.uploads-of-another-database');
}

/** Deletes what was given up: of deleted messages the files are soon not on the disk any more. Runs once a minute. */
async function removeGoing(deps: Pick<UploadsDeps, 'record' | 'files'>): Promise<void> {
  for (;;) {
    const going = await uploadsGoing(deps.record.db, deletedPerRound);
    if (going.length === 0) return;
    await forget(deps, going);
  }
}

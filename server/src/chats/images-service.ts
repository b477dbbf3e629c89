/**
 * Images of private chats: uploaded before they are sent, readable by the two people of the chat and nobody else.
 */
import { pairIdOf, readPairId } from '@tunemate/domain';
import type { PrivateMessage, Uid } from '@tunemate/protocol';
import { accept, type Clock, type Ids, type Log, type Outcome, refuse } from '../ports.ts';
import { personOf } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import { isBlockedBetween } from './blocks-store.ts';
import type { ImageFiles, ImageSize } from './image-files.ts';
import { countUnsent, forgetUnsent, insertImage, pairOfImage } from './images-store.ts';
import { readPicture } from './picture.ts';

/** Uploaded and not sent, for each person; more means that uploads are used as storage. */
const unsentImages = 10;
/** An upload that was never sent is deleted after a day. */
const unsentKeptMs = 24 * 60 * 60 * 1000;

export interface ImagesDeps {
  record: StreamRecord;
  files: ImageFiles;
  clock: Clock;
  ids: Ids;
  log: Log;
}

type ChatImage = NonNullable<PrivateMessage['image']>;

export function imagesService({ record, files, clock, ids, log }: ImagesDeps) {
  // One at a time: a decoded picture can take a hundred megabytes.
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const turn = queue.then(task);
    queue = turn.catch(() => undefined);
    return turn;
  };

  /** Takes a picture in for the chat with `other`; the answer's `imageId` is what a message then carries. */
  async function upload(uid: Uid, other: Uid, bytes: Uint8Array): Promise<Outcome<ChatImage>> {
    if (uid === other) return refuse('input/invalid');
    if (!(await personOf(record.db, other))) return refuse('access/not-found');
    if (await isBlockedBetween(record.db, uid, other)) return refuse('access/forbidden');
    if ((await countUnsent(record.db, uid)) >= unsentImages) return refuse('limit/too-many');
    const picture = await inTurn(() => readPicture(bytes));
    if (!picture.ok) return picture;
    const { width, height, full } = picture.value;
    const imageId = ids.newId();
    await files.save(imageId, picture.value);
    await insertImage(record.db, {
      image_id: imageId,
      pair_id: pairIdOf(uid, other),
      uploader: uid,
      width,
      height,
      bytes: full.byteLength,
      created_at_ms: clock.now(),
    });
    log.debug({ imageId, bytes: full.byteLength }, 'chat.image-uploaded');
    return accept({ imageId, width, height });
  }

  /** Where one of the two finds the file; a third is told what anyone is told of an image that is not there. */
  async function locate(uid: Uid, imageId: string, size: ImageSize): Promise<Outcome<{ path: string; type: string }>> {
    const pairId = await pairOfImage(record.db, imageId);
    if (pairId === null || !readPairId(pairId, uid)) return refuse('access/not-found');
    return accept({ path: files.pathOf(imageId, size), type: 'image/webp' });
  }

  /** Deletes what was uploaded and never sent. Once an hour. */
  async function sweep(): Promise<void> {
    await files.remove(await forgetUnsent(record.db, clock.now() - unsentKeptMs));
  }

  return { upload, locate, sweep };
}
export type ImagesService = ReturnType<typeof imagesService>;

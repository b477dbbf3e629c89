/**
 * Chat images: their addresses and their size in the log; and the upload of images and recordings. Only the two people of
 * the chat can fetch them.
 */
import { limits, type Refusal, type Result, type Uid } from '@tunemate/protocol';
import { upload } from '../connection/upload.ts';
import type { ChatImage, ChatVoice } from '../messages/outbox.ts';

const widestPx = 280;
const tallestPx = 320;

/** The address of the thumbnail for the log, or of the full image. */
export function imageAddress(imageId: string, size: 'preview' | 'full'): string {
  return `/api/chats/images/${imageId}${size === 'preview' ? '/preview' : ''}`;
}

/**
 * Its size in the log: never cropped nor enlarged, and known before it is loaded, so that the layout does not shift.
 */
export function shownSize({ width, height }: Pick<ChatImage, 'width' | 'height'>): { width: number; height: number } {
  const scale = Math.min(1, widestPx / width, tallestPx / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The types that the server accepts. */
const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];

const refuse = (code: Refusal['code']) => ({ ok: false, error: { code } }) as const;

/** Of the browser's file dialog: kinds that the server takes, and GIF, of which the first picture is sent. */
export const pickedTypes = [...imageTypes, 'image/gif'].join();

/** A proxy takes less than the server does; this is small enough for any. */
const smallestPx = 1280;

/**
 * Uploads an image for the chat with `uid`, made smaller where it is large; the server returns the id that a message then
 * carries. Never throws; without an answer it is server/unavailable.
 */
export async function uploadImage(
  fetch: typeof globalThis.fetch,
  uid: Uid,
  file: File,
  longestPx?: number,
): Promise<Result<ChatImage>> {
  const picture = await shrinkPicture(file, imageTypes, longestPx);
  if (!imageTypes.includes(picture.type)) return refuse('input/unsupported');
  // What can't be made smaller is not sent twice.
  if (picture.size > limits.imageBytes) return refuse('input/too-large');
  if (picture === file && longestPx !== undefined) return refuse('input/unsupported');
  const answer = await upload<ChatImage>(fetch, `/api/chats/images?with=${encodeURIComponent(uid)}`, picture);
  // Also for a small file of many pixels, of which the server says so itself.
  if (!answer.ok && answer.error.code === 'input/too-large' && longestPx === undefined) {
    return await uploadImage(fetch, uid, file, smallestPx);
  }
  // Its name says another kind than it has, as when a browser stores a picture of a page.
  if (!answer.ok && answer.error.code === 'input/unsupported' && picture === file && file.type !== '') {
    return await uploadImage(fetch, uid, new File([file], file.name), longestPx);
  }
  return answer;
}

/** The same for a recording. */
export const uploadVoice = (fetch: typeof globalThis.fetch, uid: Uid, recording: Blob): Promise<Result<ChatVoice>> =>
  upload(fetch, `/api/chats/voices?with=${encodeURIComponent(uid)}`, recording);

/**
 * Makes a picture smaller before it travels, as phones take pictures of 48 megapixels and more, and makes a JPEG or WebP
 * of other kinds that this browser can read, such as HEIC in Safari, or the first picture of a GIF.
 */

/** Wider than any screen that shows it. */
const longestPx = 2560;
/** A picture below this is sent as it is, where the server takes its kind. */
const smallBytes = 1024 * 1024;
const quality = 0.86;

/** The picture to send in place of `file`; the same file where nothing is to be done, or this browser can't read it. */
export async function shrinkPicture(file: File, takenTypes: readonly string[], longest = longestPx): Promise<File> {
  const isTaken = takenTypes.includes(file.type);
  if ((isTaken && file.size <= smallBytes && longest === longestPx) || !mayBePicture(file)) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const smaller = await drawn(picture, longest, file.type);
    picture.close();
    const isWorth = smaller !== null && takenTypes.includes(smaller.type) && (!isTaken || smaller.size < file.size);
    return isWorth ? new File([smaller], file.name, { type: smaller.type }) : file;
  } catch {
    return file;
  }
}

/** Some systems know no type for HEIC. */
const mayBePicture = ({ type }: File): boolean => type.startsWith('image/') || type === '';

/** WebP keeps what is transparent; browsers that can't write it make a PNG instead. */
async function drawn(picture: ImageBitmap, longest: number, type: string): Promise<Blob | null> {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const mayBeTransparent = type === 'image/png' || type === 'image/webp' || type === 'image/gif';
  return new Promise((resolve) => {
    canvas.toBlob(resolve, mayBeTransparent ? 'image/webp' : 'image/jpeg', quality);
  });
}

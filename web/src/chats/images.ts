/**
 * Chat images: their addresses, their size in the log, and their upload. Only the two people of the chat can fetch
 * them.
 */
import { limits, type Refusal, type Result, type Uid } from '@tunemate/protocol';
import type { ChatImage } from '../messages/outbox.ts';

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
export const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];

const timeoutMs = 60_000;

const refuse = (code: Refusal['code']) => ({ ok: false, error: { code } }) as const;

/**
 * Uploads an image for the chat with `uid`; the server returns the id that a message then carries. Never throws; without an
 * answer it is server/unavailable.
 */
export async function uploadImage(
  fetch: typeof globalThis.fetch,
  uid: Uid,
  file: Pick<Blob, 'type' | 'size'> & BodyInit,
): Promise<Result<ChatImage>> {
  if (!imageTypes.includes(file.type)) return refuse('input/unsupported');
  if (file.size > limits.imageBytes) return refuse('input/too-large');
  try {
    const answer = await fetch(`/api/chats/images?with=${encodeURIComponent(uid)}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': file.type },
      body: file,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return (await answer.json()) as Result<ChatImage>;
  } catch {
    return refuse('server/unavailable');
  }
}

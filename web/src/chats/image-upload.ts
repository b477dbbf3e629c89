/** Uploads an image; the server returns the id that a message then carries. Files that it can't accept are not sent. */
import { limits, type Refusal, type Result, type Uid } from '@tunemate/protocol';
import type { ChatImage } from '../messages/outbox-storage.ts';

/** The types that the server accepts. */
export const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];

const timeoutMs = 60_000;

const refuse = (code: Refusal['code']) => ({ ok: false, error: { code } }) as const;

/** Uploads for the chat with `uid`. Never throws; without an answer it is server/unavailable. */
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

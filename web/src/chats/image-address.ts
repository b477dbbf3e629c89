/** Where the pictures of chats are, and how large the log shows them. Only the two of the chat get an answer there. */
import type { ChatImage } from '../messages/outbox-storage.ts';

const widestPx = 280;
const tallestPx = 320;

/** The small one for the log, or the whole. */
export function imageAddress(imageId: string, size: 'preview' | 'full'): string {
  return `/api/chats/images/${imageId}${size === 'preview' ? '/preview' : ''}`;
}

/** Its place in the log: whole, never enlarged, and known before it is there, so that nothing moves when it comes. */
export function shownSize({ width, height }: Pick<ChatImage, 'width' | 'height'>): { width: number; height: number } {
  const scale = Math.min(1, widestPx / width, tallestPx / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

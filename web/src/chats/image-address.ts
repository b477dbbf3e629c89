/** The addresses of chat images, and their size in the log. Only the two people of the chat can fetch them. */
import type { ChatImage } from '../messages/outbox-storage.ts';

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

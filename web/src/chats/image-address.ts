/** Where the pictures of chats are. Only the two of the chat get an answer there. */

/** The small one for the log, or the whole. */
export function imageAddress(imageId: string, size: 'preview' | 'full'): string {
  return `/api/chats/images/${imageId}${size === 'preview' ? '/preview' : ''}`;
}

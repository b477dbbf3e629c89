import { limits } from '@tunemate/protocol';

/** True when a message is longer than the server takes, counted as people count (code points). */
export function isTooLong(text: string): boolean {
  return text.length > limits.messageLength && Array.from(text.trim()).length > limits.messageLength;
}

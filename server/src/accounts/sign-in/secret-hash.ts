/**
 * The hash by which tokens and codes are stored. They carry 256 random bits, so a plain hash is enough, and the timing
 * of a look-up reveals nothing.
 */
import { createHash } from 'node:crypto';

/** SHA-256, hex. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

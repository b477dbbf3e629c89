/**
 * Tokens and codes are stored only as this. They carry 256 random bits, so a plain hash is enough, and a look-up by it
 * tells nothing through its timing.
 */
import { createHash } from 'node:crypto';

/** SHA-256, hex. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Names for what has none that fits an address: the same after a restart, and impossible to guess a path from. */
import { createHash } from 'node:crypto';

/** 16 hex digits of SHA-256. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Ids for requests that change something, so that a request that is sent twice is applied once.
 */
import type { ClientId } from '@tunemate/protocol';

/** A random UUID. `crypto.randomUUID` is missing on plain-http pages of a local network. */
export function newUuid(source: Pick<Crypto, 'getRandomValues'> = crypto): string {
  const bytes = source.getRandomValues(new Uint8Array(16));
  // RFC 9562 §5.4: version 4, variant 10.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A new id for one such request. */
export function newClientId(): ClientId {
  return newUuid() as ClientId;
}

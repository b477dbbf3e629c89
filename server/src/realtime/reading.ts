/**
 * Which connections have read enough of their answers to be served again. What is unread is held in memory, and counts
 * towards a bound of the connection and one of its network: while a network leaves very much unread, each of its
 * connections is served when it has read nearly all of its own. So clients that read are served as before.
 */
import { customerOf } from '../system/networks.ts';
import type { Link } from './link.ts';

/** With more unsent data than this the next request of a connection is not served. */
export const mostUnread = 256 * 1024;
/** What sixteen of the slowest pages leave unread. */
export const mostUnreadOfNetwork = 16 * mostUnread;
/** What changes of a room leave unread on a slow line, now and then. */
const nearlyAll = 16 * 1024;

type Reader = Pick<Link, 'owner' | 'isOpen' | 'unsent' | 'flushed'>;

export type Reading = ReturnType<typeof createReading>;

export function createReading() {
  const networks = new Map<string, Set<Reader>>();

  function unreadOf(customer: string): number {
    let bytes = 0;
    for (const { unsent } of networks.get(customer) ?? []) bytes += unsent.bytes;
    return bytes;
  }

  function mayBeServed({ owner, isOpen, unsent: { bytes } }: Reader): boolean {
    if (!isOpen || bytes <= nearlyAll) return true;
    return bytes <= mostUnread && unreadOf(customerOf(owner.address)) <= mostUnreadOfNetwork;
  }

  return {
    mayBeServed,
    /** Counts it towards its network; returns what ends that. */
    add(reader: Reader): () => void {
      const customer = customerOf(reader.owner.address);
      const readers = networks.get(customer) ?? new Set();
      networks.set(customer, readers.add(reader));
      return () => {
        readers.delete(reader);
        if (readers.size === 0) networks.delete(customer);
      };
    },
    /** Resolves when the client has read enough to be served again, or has disconnected. */
    async untilRead(reader: Reader): Promise<void> {
      while (!mayBeServed(reader)) await reader.flushed();
    },
  };
}

/**
 * The caller of a request, known from the session and the connection alone; nothing in a payload can change it.
 */
import type { TabId, Uid } from '@tunemate/protocol';

export interface Caller {
  uid: Uid;
  sessionId: string;
  connectionId: string;
  tabId: TabId;
  /** The visitor's address as limits count it: of IPv6 only the network. */
  address: string;
}

/**
 * How a connection ended: closed by the server, left by its page (which may only be reloading), or lost; `silentMs` is
 * how long an expected sign of life had been missing.
 */
export type Ending = { type: 'closed' } | { type: 'left' } | { type: 'lost'; silentMs: number };

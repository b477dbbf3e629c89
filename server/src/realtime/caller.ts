/**
 * Who makes a request, from the session and the connection alone; nothing in a payload can change it (ACCESS-16).
 */
import type { Payload, RequestName, TabId, Uid, Value } from '@tunemate/protocol';
import type { Outcome } from '../ports.ts';

export interface Caller {
  uid: Uid;
  sessionId: string;
  connectionId: string;
  tabId: TabId;
  /** The visitor's address as limits count it: of IPv6 only the network. */
  address: string;
}

/** What answers one request. Its payload was checked against the protocol. */
export type Handler<Name extends RequestName> = (
  caller: Caller,
  payload: Payload<Name>,
) => Promise<Outcome<Value<Name>>>;
export type Handlers = { [Name in RequestName]: Handler<Name> };

/**
 * How a connection ended: closed by the server, left by its page (which may be about to load anew), or lost; `silentMs`
 * is how long it had given no sign of life that was due.
 */
export type Ending = { type: 'closed' } | { type: 'left' } | { type: 'lost'; silentMs: number };

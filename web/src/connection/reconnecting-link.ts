/**
 * Opens a link, and after it is lost waits and opens the next (connection-state.ts says when). Knows nothing of what the
 * link carries.
 */
import type { EphemeralEvent, Entries, Refusal } from '@tunemate/protocol';
import { cell, type Readable } from '../store/cell.ts';
import { backoffMs } from './backoff.ts';
import {
  nextAttempt,
  nextState,
  publicStatus,
  type ConnectionEvent,
  type ConnectionState,
} from './connection-state.ts';
import type { ConnectionStatus } from './port.ts';
import type { Clock, Link, OpenLink } from './ports.ts';

const finalRefusals = new Set(['auth/required', 'auth/email-unverified', 'client/outdated']);

export interface ReconnectingLinkParts {
  readonly openLink: OpenLink;
  readonly clock: Clock;
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number;
  readonly onOpen: (link: Link) => void;
  readonly onEntries: (batch: Entries) => void;
  readonly onEphemeral: (event: EphemeralEvent) => void;
  /** Before the link that was open is closed. */
  readonly onDropped: () => void;
}

export interface ReconnectingLink {
  readonly status: Readable<ConnectionStatus>;
  /** Whether requests can be sent: from the hello on, which the server answers before any request behind it. */
  readonly isOpen: Readable<boolean>;
  /** The link that is open or being opened. */
  current(): Link | null;
  go(event: ConnectionEvent): void;
  /** Ends the current link; a next one follows, unless the refusal says that it would be refused as well. */
  lose(refusal: Refusal | null): void;
}

export function createReconnectingLink(parts: ReconnectingLinkParts): ReconnectingLink {
  const { clock } = parts;
  const status = cell<ConnectionStatus>({ status: 'closed' });
  const isOpen = cell(false);
  let state: ConnectionState = { status: 'closed' };
  let link: Link | null = null;
  let cancelRetry: () => void = () => {};

  function go(event: ConnectionEvent): void {
    const before = state;
    state = nextState(before, event);
    if (state === before) return;
    if (state.status !== 'handshaking' && state.status !== 'live') drop();
    cancelRetry();
    if (state.status === 'opening') open();
    if (state.status === 'waiting') {
      cancelRetry = clock.schedule(() => go({ type: 'retry' }), Math.max(0, state.retryAtMs - clock.now()));
    }
    status.set(publicStatus(state, clock.now()));
    isOpen.set(state.status === 'handshaking' || state.status === 'live');
  }

  function drop(): void {
    const dropped = link;
    if (dropped === null) return;
    link = null;
    parts.onDropped();
    // Who is going to come back has not left.
    if (state.status === 'waiting') dropped.breakOff();
    else dropped.close();
  }

  function lose(refusal: Refusal | null): void {
    if (refusal !== null && finalRefusals.has(refusal.code)) {
      go({ type: 'refused', code: refusal.code });
      return;
    }
    const waitMs = backoffMs(nextAttempt(state), parts.random, refusal?.retryAfterMs);
    go({ type: 'lost', retryAtMs: clock.now() + waitMs });
  }

  function open(): void {
    let isCurrent = true;
    const opened: Link = parts.openLink({
      onOpen: () => {
        if (isCurrent) parts.onOpen(opened);
      },
      onLost: (refusal) => {
        if (isCurrent && link === opened) lose(refusal);
        isCurrent = false;
      },
      onEntries: (batch) => {
        if (link === opened) parts.onEntries(batch);
      },
      onEphemeral: (event) => {
        if (link === opened) parts.onEphemeral(event);
      },
    });
    link = opened;
  }

  return { status, isOpen, current: () => link, go, lose };
}

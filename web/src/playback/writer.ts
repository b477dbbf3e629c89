/**
 * Sends the wishes of the host's tab, one after another. A wish that the line lost is not repeated by itself: a 'pause'
 * that arrives a minute late is worse than none.
 */
import { leadFor } from '@tunemate/playback';
import type { ClientId, PlaybackIntent, Refusal, RoomKind } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';

export interface Writer {
  write(intent: PlaybackIntent): void;
  /** How long after sending a wish takes effect, in milliseconds: half a round trip and the lead the server adds. */
  delayMs(): number;
  close(): void;
}

export type WriterPorts = {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  readonly newClientId: () => ClientId;
};

/** Before anything was measured. */
const GUESSED_ROUND_TRIP_MS = 100;
/** The protocol's limit. */
const MAX_ROUND_TRIP_MS = 60_000;

export function createWriter(ports: WriterPorts, onRefused: (refusal: Refusal) => void): Writer {
  const { connection, kind, code, newClientId } = ports;
  let isClosed = false;

  async function send(intent: PlaybackIntent): Promise<void> {
    const roundTripMs = connection.roundTripMs();
    const result = await connection.request('playback/write', {
      kind,
      code,
      tabId: connection.tabId,
      clientId: newClientId(),
      intent,
      ...(roundTripMs === null ? {} : { roundTripMs: Math.min(roundTripMs, MAX_ROUND_TRIP_MS) }),
    });
    if (!result.ok && !isClosed) onRefused(result.error);
  }

  return {
    write: (intent) => void send(intent),
    delayMs() {
      const roundTripMs = connection.roundTripMs() ?? GUESSED_ROUND_TRIP_MS;
      return roundTripMs / 2 + leadFor(roundTripMs);
    },
    close: () => {
      isClosed = true;
    },
  };
}

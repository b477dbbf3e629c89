/**
 * What every player on the page is besides a Player: something with a volume that is this device's own affair.
 */
import type { Player, PlayerCapabilities } from '@tunemate/playback';

/** How loud this device plays: volume from 0 to 1, and whether it is muted without forgetting the volume. */
export interface Loudness {
  readonly volume: number;
  readonly isMuted: boolean;
}

export type AudiblePlayer = Player & {
  setLoudness(loudness: Loudness): void;
  /** Loads what will probably be played next beside what plays, where that is possible; null for nothing. */
  prepare(trackKey: string | null): void;
};

/** A player of one source; what it can do is known before it is made. */
export type OneSourcePlayer = Omit<AudiblePlayer, 'capabilitiesFor' | 'prepare'> &
  Partial<Pick<AudiblePlayer, 'prepare'>> & {
    /** What it was found to be able to do, where that differs from what is known before; null or left out otherwise. */
    found?(): PlayerCapabilities | null;
  };

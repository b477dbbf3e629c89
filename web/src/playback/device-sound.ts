/**
 * The sound of this device: volume, muting, and how much later than others it is heard (Bluetooth). Stored on the
 * device, for all rooms; without storage it lasts as long as the page.
 */
import { clampDeviceOffsetMs } from '@tunemate/playback';
import { type Cell, cell, type Readable } from '../store/cell.ts';
import type { SoundTurn } from './sound-turn.ts';
import type { Loudness } from './players/source-player.ts';

export type DeviceSound = Omit<Loudness, 'factors'> & {
  readonly offsetMs: number;
  /** Whether tracks of the library are brought to the same loudness. */
  readonly isEven: boolean;
};

export interface DeviceSoundModel {
  readonly sound: Readable<DeviceSound>;
  /** From 0 to 1. Unmutes. */
  setVolume(volume: number): void;
  setMuted(isMuted: boolean): void;
  /** Milliseconds; positive when this device is heard late. */
  setOffsetMs(offsetMs: number): void;
  setEven(isEven: boolean): void;
  /** Of the volume, for tracks that are turned down or up. Not stored. */
  readonly factors: Cell<ReadonlyMap<string, number>>;
  /** Whether rooms are silenced for a while, whatever the volume. Not stored. */
  readonly isHushed: Readable<boolean>;
  hush(isHushed: boolean): void;
  /** Which tab of this browser sounds. */
  readonly turn: SoundTurn;
}

/** Where tabs can't hear each other. */
const onlyTab: SoundTurn = { isElsewhere: cell(false), claim: () => undefined, release: () => undefined };

const key = 'tunemate/device-sound';
const initial: DeviceSound = { volume: 1, isMuted: false, offsetMs: 0, isEven: true };

export function createDeviceSound(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  turn: SoundTurn = onlyTab,
): DeviceSoundModel {
  const sound = cell<DeviceSound>(read(storage));
  const isHushed = cell(false);

  function change(patch: Partial<DeviceSound>): void {
    sound.update((now) => ({ ...now, ...patch }));
    try {
      storage.setItem(key, JSON.stringify(sound.get()));
    } catch {
      // Storage is full or forbidden.
    }
  }

  return {
    sound,
    setVolume: (volume) => change({ volume: clampVolume(volume), isMuted: false }),
    setMuted: (isMuted) => change({ isMuted }),
    setOffsetMs: (offsetMs) => change({ offsetMs: clampDeviceOffsetMs(offsetMs) }),
    setEven: (isEven) => change({ isEven }),
    factors: cell<ReadonlyMap<string, number>>(new Map()),
    isHushed,
    hush: (hushed) => isHushed.set(hushed),
    turn,
  };
}

function read(storage: Pick<Storage, 'getItem'>): DeviceSound {
  try {
    const kept = JSON.parse(storage.getItem(key) ?? '{}') as Partial<Record<keyof DeviceSound, unknown>>;
    return {
      volume: typeof kept.volume === 'number' ? clampVolume(kept.volume) : initial.volume,
      isMuted: kept.isMuted === true,
      isEven: kept.isEven !== false,
      offsetMs: typeof kept.offsetMs === 'number' ? clampDeviceOffsetMs(kept.offsetMs) : initial.offsetMs,
    };
  } catch {
    // Storage is forbidden or has another format.
    return initial;
  }
}

function clampVolume(volume: number): number {
  return Number.isFinite(volume) ? Math.min(1, Math.max(0, volume)) : initial.volume;
}

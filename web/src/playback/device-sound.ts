/**
 * The sound of this device: volume, muting, and how much later than others it is heard (Bluetooth). Stored on the
 * device, for all rooms; without storage it lasts as long as the page. Of several tabs in rooms, one sounds.
 */
import { clampDeviceOffsetMs } from '@tunemate/playback';
import { type Cell, cell, type Readable } from '../store/cell.ts';
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

/**
 * Which tab of this browser sounds: of several in rooms, the one that claimed the sound last. The others follow their
 * room in silence. A tab that closes gives the sound back.
 */
export interface SoundTurn {
  /** True while another tab of this browser sounds. */
  readonly isElsewhere: Readable<boolean>;
  /** This tab sounds from now on: it was opened, or its user does something in it. */
  claim(): void;
  /** This tab is in no room any more. */
  release(): void;
}

/** Later claims win; of two at one moment the one with the larger id, in every tab alike. */
interface Claim {
  readonly at: number;
  readonly id: string;
}
type Message = { readonly type: 'claim'; readonly claim: Claim } | { readonly type: 'released' | 'ask' };

/** Between the tabs of one browser; a tab does not hear itself. */
export interface TurnChannel {
  send(message: unknown): void;
  listen(hear: (message: unknown) => void): void;
}

/** A browser that forbids it, as with all storage, has rooms all the same. */
export function openTurnChannel(): TurnChannel {
  try {
    const channel = new BroadcastChannel('tunemate/sound');
    return {
      send: channel.postMessage.bind(channel),
      listen: (hear) => channel.addEventListener('message', ({ data }: MessageEvent) => hear(data)),
    };
  } catch {
    return { send() {}, listen() {} };
  }
}

const isLater = (one: Claim, other: Claim): boolean => one.at > other.at || (one.at === other.at && one.id > other.id);

export function createSoundTurn(channel: TurnChannel, nowMs: () => number, id: string): SoundTurn {
  const isElsewhere = cell(false);
  let own: Claim | null = null;
  /** The latest that was heard. The clock of the device may be set back: a claim is later than any before it all the same. */
  let heardAt = -Infinity;

  function claim(): void {
    own = { at: Math.max(nowMs(), heardAt + 1), id };
    isElsewhere.set(false);
    post({ type: 'claim', claim: own });
  }
  const post = (message: Message): void => channel.send(message);

  channel.listen((heard) => {
    // Only this code sends on this channel.
    const message = heard as Message;
    if (message.type === 'claim') {
      heardAt = Math.max(heardAt, message.claim.at);
      if (own === null || isLater(message.claim, own)) isElsewhere.set(true);
      else if (!isElsewhere.get()) post({ type: 'claim', claim: own });
    } else if (message.type === 'ask') {
      if (own !== null && !isElsewhere.get()) post({ type: 'claim', claim: own });
    } else if (isElsewhere.get()) {
      // Several may wait for it: their claims are compared like any others.
      if (own === null) isElsewhere.set(false);
      else claim();
    }
  });
  post({ type: 'ask' });
  return {
    isElsewhere,
    claim,
    release() {
      const hadIt = own !== null && !isElsewhere.get();
      own = null;
      if (hadIt) post({ type: 'released' });
    },
  };
}

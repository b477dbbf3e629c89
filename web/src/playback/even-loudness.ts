/**
 * Keeps tracks of the library as loud as each other on this device: asks how loud the current track and the next one are,
 * and gives players a factor for each. It changes the volume and nothing else; where the device ignores that, it asks for
 * copies that are turned down. Says what the same answers know of the tracks' shapes. Loaded after the room.
 */
import { gainOf, loudnessFactor } from '@tunemate/domain';
import { isLibraryId, type Result, type Value, type VideoId } from '@tunemate/protocol';
import type { Cell, Readable, Unsubscribe } from '../store/cell.ts';
import type { DeviceSoundModel } from './device-sound.ts';
import type { PlaybackView } from './playback-view.ts';

interface EvenLoudnessPorts {
  readonly view: Readable<PlaybackView>;
  readonly deviceSound: Pick<DeviceSoundModel, 'sound' | 'factors'>;
  readonly ask: (track: VideoId, signal: AbortSignal) => Promise<Result<Value<'library/loudness'>>>;
  /** Asks for a copy that is turned down by so many tenths of a decibel. */
  readonly askForCopy: (track: VideoId, gain: number) => Promise<unknown>;
  /** Where the peaks of tracks are noted, once they are known. */
  readonly peaks?: Cell<PeaksOfTracks>;
  /** By default what an element of this browser does. */
  readonly ignoresVolume?: boolean;
}

/** As the server sends them: a digit of base 36 for each part. */
export type PeaksOfTracks = ReadonlyMap<VideoId, string>;

/** On iPhones and iPads the volume belongs to the device. */
export function doesIgnoreVolume(element: Pick<HTMLMediaElement, 'volume'> = document.createElement('audio')): boolean {
  element.volume = 0.5;
  return element.volume !== 0.5;
}

/** Until the server has answered: what most music needs. A loud track must not begin at full volume. */
const usualFactor = 0.32;
const none: ReadonlyMap<string, number> = new Map();

/** After the last track the first may follow. */
const nextIn = (queue: PlaybackView['playing']['queue'], at: number): VideoId | null =>
  queue[(at + 1) % Math.max(1, queue.length)]?.videoId ?? null;

export function keepLoudnessEven(ports: EvenLoudnessPorts): Unsubscribe {
  const { view, deviceSound, ask, askForCopy } = ports;
  let { ignoresVolume } = ports;
  const over = new AbortController();
  const needsCopies = (): boolean => (ignoresVolume ??= doesIgnoreVolume());
  const copied = new Set<string>();
  const asked = new Set<VideoId>();
  const awaited = new Set<VideoId>();
  const answers = new Map<VideoId, Value<'library/loudness'>>();
  /** A track that plays keeps its factor, whatever happens to the queue. */
  let current: { readonly id: VideoId | null; factor: number | null } = { id: null, factor: null };

  async function learn(id: VideoId): Promise<void> {
    asked.add(id);
    awaited.add(id);
    const answer = await ask(id, over.signal);
    awaited.delete(id);
    // The factors belong to the next room by then.
    if (over.signal.aborted) return;
    if (answer.ok) {
      const { peaks } = answer.value;
      answers.set(id, answer.value);
      if (peaks !== null) ports.peaks?.update((known) => new Map([...known, [id, peaks]]));
    }
    // A track may be measured meanwhile.
    if (!answer.ok || answer.value.track === null || answer.value.peaks === null) asked.delete(id);
    apply();
  }

  function apply(): void {
    const { track, queue, currentIndex } = view.get().playing;
    const id = track?.videoId ?? null;
    if (current.id !== id) current = { id, factor: null };
    if (!deviceSound.sound.get().isEven) return deviceSound.factors.set(none);
    const factors = new Map<string, number>();
    for (const each of [nextIn(queue, currentIndex), id]) {
      const answer = each === null ? undefined : answers.get(each);
      const factor = answer && loudnessFactor(answer, queue);
      if (each === id) current.factor ??= factor ?? null;
      const kept = (each === id ? current.factor : factor) ?? (each !== null && awaited.has(each) ? usualFactor : null);
      if (each !== null && kept !== null) factors.set(each, kept);
      if (each !== null && kept !== null && answer !== undefined && needsCopies()) wantCopy(each, gainOf(kept));
    }
    deviceSound.factors.set(factors);
  }

  /** Once for each visit: the server keeps the latest copies. */
  function wantCopy(id: VideoId, gain: number): void {
    const key = `${id} ${String(gain)}`;
    if (gain === 0 || copied.has(key)) return;
    copied.add(key);
    void askForCopy(id, gain);
  }

  let looked: string | null = null;
  function look(): void {
    const { track, queue, currentIndex } = view.get().playing;
    const ids = [track?.videoId ?? null, nextIn(queue, currentIndex)];
    const key = ids.join(' ');
    if (key === looked) return;
    looked = key;
    for (const id of new Set(ids)) if (id !== null && isLibraryId(id) && !asked.has(id)) void learn(id);
    apply();
  }

  look();
  const ends = [view.subscribe(look), deviceSound.sound.subscribe(apply)];
  return () => {
    over.abort();
    for (const end of ends) end();
    deviceSound.factors.set(none);
  };
}

/**
 * Plays voice messages, one at a time: one player for all of them. What was played, and how fast, is remembered on this
 * device.
 */
import type { ChatVoice } from '../../messages/outbox.ts';
import { cell, type Readable, type Unsubscribe } from '../../store/cell.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { beginSpeech } from '../../store/speech.ts';
import { openVoice } from './open-voice.ts';

export interface Heard {
  readonly voiceId: string;
  readonly isPlaying: boolean;
  readonly seconds: number;
  /** It could not be fetched, or not be played. */
  readonly hasFailed: boolean;
}

export const speeds = [1, 1.5, 2] as const;

const speedKey = 'tunemate/voice-speed';
const playedKey = 'tunemate/played-voices';
/** Older ones have long been played. */
const mostRemembered = 500;

const keptSpeed = Number(deviceStorage.getItem(speedKey));
const speed = cell<number>(speeds.find((each) => each === keptSpeed) ?? 1);
const played = cell<readonly string[]>((deviceStorage.getItem(playedKey) ?? '').split(' ').filter((id) => id !== ''));
const heard = cell<Heard | null>(null);
const element = new Audio();
let quieten: Unsubscribe | null = null;

function update(patch: Partial<Heard>): void {
  heard.update((now) => now && { ...now, ...patch });
}

function setPlaying(isPlaying: boolean): void {
  if (isPlaying) quieten ??= beginSpeech();
  else {
    quieten?.();
    quieten = null;
  }
  update({ isPlaying });
}

element.preload = 'auto';
element.addEventListener('playing', () => setPlaying(true));
element.addEventListener('pause', () => setPlaying(false));
element.addEventListener('ended', () => {
  setPlaying(false);
  update({ seconds: 0 });
});
element.addEventListener('error', () => {
  setPlaying(false);
  update({ hasFailed: true });
});
element.addEventListener('timeupdate', () => {
  if (!element.ended) update({ seconds: element.currentTime });
});

/** Makes it the one that the player has. */
function take(voiceId: string): void {
  if (heard.get()?.voiceId === voiceId && heard.get()?.hasFailed === false) return;
  element.pause();
  // A new address drops the event of the pause.
  setPlaying(false);
  heard.set({ voiceId, isPlaying: false, seconds: 0, hasFailed: false });
  element.src = `/api/chats/voices/${voiceId}`;
}

function play(voiceId: string): void {
  take(voiceId);
  openVoice.stop = () => element.pause();
  element.playbackRate = speed.get();
  void element.play().catch(() => undefined);
  if (played.get().includes(voiceId)) return;
  played.update((now) => [...now, voiceId].slice(-mostRemembered));
  deviceStorage.setItem(playedKey, played.get().join(' '));
}

export const voicePlayer = {
  /** The one that the player has, playing or not. */
  heard: heard as Readable<Heard | null>,
  speed: speed as Readable<number>,
  /** Ids of those that were played on this device. */
  played: played as Readable<readonly string[]>,
  toggle({ voiceId }: ChatVoice): void {
    const now = heard.get();
    if (now?.voiceId === voiceId && now.isPlaying) element.pause();
    else play(voiceId);
  },
  seek({ voiceId }: ChatVoice, seconds: number): void {
    take(voiceId);
    element.currentTime = seconds;
    update({ seconds });
  },
  /** The next of the speeds. */
  nextSpeed(): void {
    const index = speeds.findIndex((each) => each === speed.get());
    speed.set(speeds[(index + 1) % speeds.length] ?? 1);
    deviceStorage.setItem(speedKey, String(speed.get()));
    element.playbackRate = speed.get();
  },
} as const;

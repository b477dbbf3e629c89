/** A voice message in its bubble: play and pause, the waveform as a slider, and the speed. */
import { useState, type KeyboardEvent } from 'react';
import type { ChatVoice } from '../../messages/outbox.ts';
import { useReadable } from '../../store/use-readable.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { PauseIcon, PlayIcon } from '../../ui/icons/marks.tsx';
import { clockOf } from '../conversation-words.ts';
import { voiceWords } from './voice-words.ts';
import { Waveform } from './Waveform.tsx';
import { cell, type Readable, type Unsubscribe } from '../../store/cell.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { beginSpeech } from '../../store/speech.ts';
import { openVoice } from './open-voice.ts';
import { t } from '../../language/t.ts';

const stepSeconds = 5;
/** The way of the arrows is the way of the waveform, in every language. */
const steps: Readonly<Record<string, number>> = {
  ...{ ArrowRight: stepSeconds, ArrowUp: stepSeconds, ArrowLeft: -stepSeconds, ArrowDown: -stepSeconds },
  ...{ Home: -Infinity, End: Infinity },
};

export function VoiceMessage({ voice, isMine }: { voice: ChatVoice; isMine: boolean }) {
  const heard = useReadable(voicePlayer.heard);
  const speed = String(useReadable(voicePlayer.speed));
  const isNew = !useReadable(voicePlayer.played).includes(voice.voiceId) && !isMine;
  const own = heard?.voiceId === voice.voiceId ? heard : null;
  const isPlaying = own?.isPlaying === true;
  const seconds = own?.seconds ?? 0;
  const lasts = voice.durationMs / 1000;
  const whole = clockOf(Math.round(lasts));
  const time = seconds > 0 ? `${clockOf(seconds)} / ${whole}` : whole;
  const seek = (to: number): void => voicePlayer.seek(voice, Math.min(lasts, Math.max(0, to)));

  return (
    <>
      <span dir="ltr" style={{ display: 'flex', gap: 10, alignItems: 'center', width: 'min(292px, 62vw)' }}>
        <IconButton
          style={
            isMine
              ? { background: 'var(--ink)', color: 'var(--band)' }
              : { background: 'var(--text)', color: 'var(--ground)' }
          }
          // Not where it is now: a screen reader would read each change of the name over the voice.
          label={(isPlaying ? voiceWords.pauseVoice : voiceWords.play)(whole)}
          icon={isPlaying ? <PauseIcon size={20} /> : <PlayIcon size={20} />}
          onClick={() => voicePlayer.toggle(voice)}
        />
        <Position {...{ seconds, lasts, isMine, seek }} levels={voice.waveform} />
        <IconButton
          style={{ background: 'color-mix(in srgb, currentColor 12%, transparent)' }}
          label={voiceWords.speed(speed)}
          icon={<b aria-hidden="true">{`${speed}x`}</b>}
          onClick={voicePlayer.nextSpeed}
        />
      </span>
      <span style={{ fontSize: 14, marginInlineStart: 54 }}>
        {isNew && (
          <>
            <span aria-hidden="true">{'● '}</span>
            <VisuallyHidden>{`${t`Not played yet`}, `}</VisuallyHidden>
          </>
        )}
        <span dir="ltr">{time}</span>
        {own?.hasFailed === true && <span role="alert">{` ${t`It did not load.`}`}</span>}
      </span>
    </>
  );
}

interface PositionProps {
  seconds: number;
  lasts: number;
  levels: readonly number[];
  isMine: boolean;
  seek: (seconds: number) => void;
}

/** The waveform, and an unseen slider over it. */
function Position({ seconds, lasts, levels, isMine, seek }: PositionProps) {
  const [isOutlined, setIsOutlined] = useState(false);

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step === undefined) return;
    // The log goes to other messages with these keys.
    event.stopPropagation();
    event.preventDefault();
    seek(seconds + step);
  }

  return (
    <span
      style={{
        ...{ position: 'relative', flex: 1, minWidth: 0, height: 44, display: 'grid', alignItems: 'center' },
        ...(isOutlined && { outline: '3px solid currentColor', borderRadius: 4 }),
      }}
    >
      <Waveform levels={levels} played={seconds / lasts} ink={isMine ? undefined : 'var(--band)'} />
      <input
        type="range"
        dir="ltr"
        aria-label={t`Position`}
        aria-valuetext={voiceWords.positionOf(clockOf(seconds), clockOf(Math.round(lasts)))}
        min={0}
        max={lasts}
        step={0.1}
        value={Math.min(seconds, lasts)}
        style={{ position: 'absolute', inset: 0, width: '100%', margin: 0, opacity: 0, touchAction: 'none' }}
        onChange={({ target }) => seek(target.valueAsNumber)}
        onKeyDown={onKeyDown}
        // The message under it is neither held nor swiped.
        onPointerDown={(event) => event.stopPropagation()}
        onTouchStart={(event) => event.stopPropagation()}
        onFocus={({ target }) => setIsOutlined(target.matches(':focus-visible'))}
        onBlur={() => setIsOutlined(false)}
      />
    </span>
  );
}

/**
 * Plays voice messages, one at a time: one player for all of them. What was played, and how fast, is remembered on this
 * device.
 */
interface Heard {
  readonly voiceId: string;
  readonly isPlaying: boolean;
  readonly seconds: number;
  /** It could not be fetched, or not be played. */
  readonly hasFailed: boolean;
}

const speeds = [1, 1.5, 2] as const;

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

const voicePlayer = {
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

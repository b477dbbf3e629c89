/**
 * In place of the message field while a voice message is recorded, listened to and sent. Held by a finger, letting go
 * sends; otherwise Enter sends and Escape cancels.
 */
import { limits, type Refusal, type Result } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import composer from '../../messages/MessageComposer.module.css';
import { sentenceOf, type Instead } from '../../words/errors.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { PauseIcon, PlayIcon, SendIcon } from '../../ui/icons/marks.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { clockOf } from '../conversation-words.ts';
import { startRecorder } from './recorder.ts';
import { voiceWords } from './voice-words.ts';
import { Waveform } from './Waveform.tsx';
import { cell, type Readable } from '../../store/cell.ts';
import { beginSpeech } from '../../store/speech.ts';
import { Lock, Square } from 'lucide-react';
import { line, type IconProps } from '../../ui/icons/icons.tsx';
import { t } from '../../language/t.ts';

/** A finger that holds the microphone's button, from before this is loaded. */
export interface Press {
  /** Resolves when it is over. */
  readonly end: Promise<PressEnd>;
}

/** Where the finger was lifted, or 'lost' when the system took it. */
export type PressEnd = 'lost' | { readonly x: number; readonly y: number; readonly isMoved: boolean };

interface RecorderStripProps {
  /** The name of the other person. */
  to: string;
  /** Null when a key or a mouse began it. */
  press: Press | null;
  onSend: (sound: Blob) => Promise<Result<object>>;
  /** `hint` is shown for a moment where the recording came to nothing. */
  onEnd: (hint: string | null) => void;
}

/** Counted aloud. */
const lastSeconds = 10;
/** Anything shorter is a press by mistake. */
const shortestMs = 1000;
const longestSeconds = limits.voiceMs / 1000;

const instead: Instead = {
  'input/too-large': t`A voice message lasts at most two minutes.`,
  'input/unsupported': t`The server can’t read this recording.`,
  'access/forbidden': t`It can’t be delivered now.`,
};

/** What is not sent yet stays: it can be sent again. */
type Sending = { readonly type: 'no' | 'sending' } | { readonly type: 'failed'; readonly refusal: Refusal };

function useRecording({ to, press, onSend, onEnd }: RecorderStripProps) {
  const modals = useModals();
  const [recorder] = useState(startRecorder);
  const state = useReadable(recorder.state);
  const [isHeld, setIsHeld] = useState(press !== null);
  const [sending, setSending] = useState<Sending>({ type: 'no' });
  useEffect(() => recorder.cancel, [recorder]);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);

  /** A user who has left the chat by then is asked where they are. */
  async function mayTryAgain(refusal: Refusal): Promise<boolean> {
    const consequence = sentenceOf(refusal, instead);
    const asked = { question: voiceWords.notSentTo(to), consequence, action: voiceWords.tryAgain };
    return !isShown.current && (await modals.confirm(asked));
  }

  async function send(): Promise<void> {
    const { type } = recorder.state.get();
    if (type === 'impossible' || sending.type === 'sending') return;
    if (recorder.lastsMs() < shortestMs) return cancel(press ? t`Hold to record` : t`Too short: nothing was sent.`);
    setSending({ type: 'sending' });
    const sound = await recorder.stop();
    if (sound === null) return onEnd(null);
    let answer = await onSend(sound);
    while (!answer.ok && (await mayTryAgain(answer.error))) answer = await onSend(sound);
    if (answer.ok) onEnd(null);
    else setSending({ type: 'failed', refusal: answer.error });
  }

  function cancel(hint: string | null = null): void {
    recorder.cancel();
    onEnd(hint);
  }

  const lift = useEffectEvent((end: PressEnd) => {
    if (!isHeld) return;
    setIsHeld(false);
    if (recorder.state.get().type === 'impossible') return;
    if (end === 'lost') return void recorder.stop();
    const under = end.isMoved ? document.elementFromPoint(end.x, end.y)?.closest('[data-act]') : null;
    const act = under?.getAttribute('data-act');
    if (act === 'lock') return;
    if (act === 'cancel') cancel();
    else void send();
  });
  useEffect(() => {
    let isShown = true;
    void press?.end.then((end) => isShown && lift(end));
    return () => void (isShown = false);
  }, [press]);

  return { recorder, state, isHeld, sending, send: () => void send(), cancel, lock: () => setIsHeld(false) };
}

export function RecorderStrip(props: RecorderStripProps) {
  const { recorder, state, isHeld, sending, send, cancel, lock } = useRecording(props);
  const levels = useReadable(recorder.levels);
  const isWide = useWideScreen();
  const form = useRef<HTMLFormElement>(null);
  const isOver = state.type === 'recorded';
  useEffect(() => {
    // The finger that holds the button keeps it.
    if (props.press === null) form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [props.press]);

  const escape = useEffectEvent((event: KeyboardEvent) => {
    // It closes what is open above the recording first, and nothing else.
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    cancel();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => escape(event);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  if (state.type === 'impossible') {
    return <Impossible words={voiceWords.impossible[state.why]} onClose={() => cancel()} />;
  }
  const hint = isHeld
    ? t`Let go to send. Lock to record with your hands free.`
    : isOver
      ? t`Listen to it, send it, or cancel.`
      : t`Recording. Enter sends, Escape cancels.`;
  return (
    <form
      ref={form}
      aria-label={isOver ? voiceWords.recorded : voiceWords.recording}
      className={composer.composer}
      style={{ flexWrap: 'wrap', alignItems: 'center' }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
    >
      {state.type === 'recorded' ? (
        <Listen sound={state.sound} />
      ) : (
        <IconButton
          label={t`Stop and listen`}
          icon={<StopIcon size={20} />}
          style={{ color: 'var(--danger)' }}
          onClick={() => void recorder.stop()}
        />
      )}
      <b style={{ fontVariantNumeric: 'tabular-nums' }}>{clockOf(recorder.lastsMs() / 1000)}</b>
      <span dir="ltr" style={{ flex: isWide ? 1 : '1 1 60%', minWidth: 0, height: 32 }}>
        <Waveform {...(isOver ? whole(levels) : latest(levels))} ink="var(--band-ui)" />
      </span>
      <Button variant="ghost" data-act="cancel" style={{ marginInlineEnd: 'auto' }} onClick={() => cancel()}>
        {voiceWords.cancel}
      </Button>
      {isHeld && (
        <Button data-act="lock" icon={<LockIcon size={20} />} onClick={lock}>
          {t`Lock`}
        </Button>
      )}
      <Button type="submit" variant="primary" busy={sending.type === 'sending'} icon={<SendIcon size={20} />}>
        {sending.type === 'failed' ? voiceWords.tryAgain : t`Send`}
      </Button>
      <p style={{ flexBasis: '100%', margin: 0, textAlign: 'center', fontSize: 14 }}>
        {sending.type === 'failed' ? (
          <span role="alert">{`${t`The voice message was not sent.`} ${sentenceOf(sending.refusal, instead)}`}</span>
        ) : (
          hint
        )}
      </p>
      <Countdown seconds={Math.floor(recorder.lastsMs() / 1000)} isOver={isOver} />
    </form>
  );
}

/** Read aloud: that it records, and how little is left. */
function Countdown({ seconds, isOver }: { seconds: number; isOver: boolean }) {
  const left = longestSeconds - seconds;
  const isEnding = left <= lastSeconds;
  const words = isOver ? voiceWords.recorded : isEnding ? voiceWords.left(left) : voiceWords.recording;
  return (
    <VisuallyHidden>
      <output>{isOver && left <= 0 ? t`The two minutes are over.` : words}</output>
    </VisuallyHidden>
  );
}

function Impossible({ words, onClose }: { words: string; onClose: () => void }) {
  return (
    <form className={composer.composer} style={{ alignItems: 'center' }} onSubmit={(event) => event.preventDefault()}>
      <p role="alert" style={{ flex: 1, margin: 0 }}>
        {words}
      </p>
      <Button onClick={onClose}>{voiceWords.cancel}</Button>
    </form>
  );
}

function Listen({ sound }: { sound: Blob }) {
  const [preview] = useState<Preview>(() => previewOf(sound));
  const isPlaying = useReadable(preview.isPlaying);
  useEffect(() => preview.stop, [preview]);
  return (
    <IconButton
      framed
      label={isPlaying ? t`Pause` : t`Listen`}
      icon={isPlaying ? <PauseIcon size={20} /> : <PlayIcon size={20} />}
      onClick={() => void preview.toggle()}
    />
  );
}

const bars = 62;

/** The last seconds: new ones come at the right end, once the line is full. */
function latest(levels: readonly number[]) {
  const shown = levels.slice(-bars);
  const rest = Array.from({ length: bars - shown.length }, () => 0);
  return { levels: [...shown, ...rest], played: shown.length / bars };
}

function whole(levels: readonly number[]) {
  const part = levels.length / bars;
  const loudest = (_: unknown, bar: number) =>
    Math.max(0, ...levels.slice(Math.floor(bar * part), Math.ceil((bar + 1) * part)));
  return { levels: Array.from({ length: bars }, loudest), played: 1 };
}

interface Preview {
  readonly isPlaying: Readable<boolean>;
  toggle(): Promise<void>;
  stop(): void;
}

/** Plays a recording before it is sent. Decoded here, because pages load sound from the server alone. */
function previewOf(sound: Blob): Preview {
  const isPlaying = cell(false);
  let end: (() => void) | null = null;

  async function play(): Promise<void> {
    const context = new AudioContext();
    const quieten = beginSpeech();
    const source = context.createBufferSource();
    end = () => {
      end = null;
      quieten();
      isPlaying.set(false);
      void context.close();
    };
    isPlaying.set(true);
    try {
      source.buffer = await context.decodeAudioData(await sound.arrayBuffer());
      source.connect(context.destination);
      source.addEventListener('ended', () => end?.());
      if (end !== null) source.start();
    } catch {
      // The browser can't decode what it recorded, or it was stopped meanwhile.
      end?.();
    }
  }

  return {
    isPlaying,
    toggle: async () => (end ? end() : await play()),
    stop: () => end?.(),
  };
}

const LockIcon = /* @__PURE__ */ line(Lock);

function StopIcon({ size = 20 }: IconProps) {
  return <Square size={size} fill="currentColor" aria-hidden="true" />;
}

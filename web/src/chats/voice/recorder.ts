/**
 * Records this device's microphone, for at most two minutes. The recording stays in the page until it is sent or thrown
 * away; the microphone is let go as soon as the recording ends.
 */
import { limits } from '@tunemate/protocol';
import { beginSpeech } from '../../store/speech.ts';
import { cell, type Readable } from '../../store/cell.ts';

/** Why there is no recording: the user or the browser refuses, there is no microphone, or this browser can't record. */
export type NoMicrophone = 'refused' | 'none' | 'busy' | 'unable';

export type RecordingState =
  | { readonly type: 'starting' }
  | { readonly type: 'recording' }
  | { readonly type: 'recorded'; readonly sound: Blob }
  | { readonly type: 'impossible'; readonly why: NoMicrophone };

export interface Recorder {
  readonly state: Readable<RecordingState>;
  /** How loud it was, from 0 to 100: ten times a second. */
  readonly levels: Readable<readonly number[]>;
  readonly lastsMs: () => number;
  /** Ends the recording and keeps it. Resolves with null when there is none. */
  stop(): Promise<Blob | null>;
  /** Ends it and throws it away. */
  cancel(): void;
}

/** In the order in which they are preferred. The first is what most browsers write. */
const kinds = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];
/** Speech is as clear as with more. */
const bitsPerSecond = 32_000;
const levelEveryMs = 100;
/** By the name of the browser's error. */
const reasons: Readonly<Record<string, NoMicrophone>> = {
  ...{ NotAllowedError: 'refused', SecurityError: 'refused', PermissionDeniedError: 'refused' },
  ...{ NotFoundError: 'none', OverconstrainedError: 'none', DevicesNotFoundError: 'none' },
  // Taken by another program, or the device failed.
  ...{ NotReadableError: 'busy', AbortError: 'busy', TrackStartError: 'busy' },
};

export function startRecorder(): Recorder {
  const state = cell<RecordingState>({ type: 'starting' });
  const levels = cell<readonly number[]>([]);
  const ended = Promise.withResolvers<Blob | null>();
  let end: ((isKept: boolean) => void) | null = null;
  let isCancelled = false;
  let [startedAtMs, endedAtMs] = [0, 0];

  async function start(): Promise<void> {
    const kind = kindOf();
    if (kind === undefined) return fail('unable');
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
      fail(error instanceof DOMException ? (reasons[error.name] ?? 'unable') : 'unable');
      return null;
    });
    if (stream === null) return;
    if (isCancelled) return letGo(stream);
    try {
      record(stream, kind);
    } catch {
      letGo(stream);
      fail('unable');
    }
  }

  function fail(why: NoMicrophone): void {
    state.set({ type: 'impossible', why });
    ended.resolve(null);
  }

  function record(stream: MediaStream, mimeType: string): void {
    const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: bitsPerSecond });
    const parts: Blob[] = [];
    // Browsers bound the number of contexts that measure sound.
    const meter = measure(stream, (level) => levels.update((now) => [...now, level]));
    const quieten = beginSpeech();
    let isKept = true;
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.addEventListener('stop', () => {
      endedAtMs = performance.now();
      clearTimeout(limit);
      meter();
      quieten();
      letGo(stream);
      const [type] = mimeType.split(';');
      const sound = isKept ? new Blob(parts, { type: type ?? '' }) : null;
      if (sound) state.set({ type: 'recorded', sound });
      ended.resolve(sound);
    });
    const limit = setTimeout(() => end?.(true), limits.voiceMs);
    // Unplugged, or taken by a call.
    stream.getAudioTracks()[0]?.addEventListener('ended', () => end?.(true));
    end = (keep) => {
      isKept = keep;
      if (recorder.state !== 'inactive') recorder.stop();
    };
    startedAtMs = performance.now();
    recorder.start();
    state.set({ type: 'recording' });
  }

  void start().catch(() => fail('unable'));
  return {
    state,
    levels,
    lastsMs: () => (startedAtMs === 0 ? 0 : (endedAtMs || performance.now()) - startedAtMs),
    stop() {
      end?.(true);
      return ended.promise;
    },
    cancel() {
      isCancelled = true;
      end?.(false);
      ended.resolve(null);
    },
  };
}

/** Without a secure address browsers have no microphone. */
function kindOf(): string | undefined {
  if (!('MediaRecorder' in window) || !('mediaDevices' in navigator)) return undefined;
  return kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
}

function letGo(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Calls back with the loudness until the function that it returns is called; with 0 where the browser measures none. */
function measure(stream: MediaStream, onLevel: (level: number) => void): () => void {
  const heard = loudnessOf(stream);
  const timer = setInterval(() => onLevel(heard?.level() ?? 0), levelEveryMs);
  return () => {
    clearInterval(timer);
    heard?.end();
  };
}

/** Null where the browser has no context left or forbids it: speech is recorded all the same. */
function loudnessOf(stream: MediaStream): { level: () => number; end: () => void } | null {
  try {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    return {
      level() {
        analyser.getFloatTimeDomainData(samples);
        const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
        // The square root once more: quiet speech is seen too.
        return Math.min(100, Math.round(100 * Math.sqrt(2 * Math.sqrt(power))));
      },
      end: () => void context.close(),
    };
  } catch {
    return null;
  }
}

/** Plays a recording before it is sent. Decoded here, because pages load sound from the server alone. */
import { cell, type Readable } from '../../store/cell.ts';
import { beginSpeech } from '../../store/speech.ts';

export interface Preview {
  readonly isPlaying: Readable<boolean>;
  toggle(): Promise<void>;
  stop(): void;
}

export function previewOf(sound: Blob): Preview {
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

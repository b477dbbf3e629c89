/** The sound of a new request to join: one soft synthesized tick. Set per device, off by default. */
import { deviceStorage, type LenientStorage } from '../../store/lenient-storage.ts';
import { cell, type Readable } from '../../store/cell.ts';

const key = 'tunemate.request-sound';

export interface RequestSound {
  readonly isOn: Readable<boolean>;
  set(isOn: boolean): void;
  tick(): void;
}

export function createRequestSound(
  storage: LenientStorage,
  play: () => void = () => void inOneTab(softTick).catch(() => undefined),
): RequestSound {
  const isOn = cell(storage.getItem(key) === 'on');
  return {
    isOn,
    set(next) {
      storage.setItem(key, next ? 'on' : 'off');
      isOn.set(next);
      if (next) play();
    },
    tick() {
      if (isOn.get()) play();
    },
  };
}

const oneTickMs = 1000;

/** Every tab of a host hears of the request; one of them ticks. Pages without TLS can't agree on one. */
async function inOneTab(play: () => void): Promise<void> {
  if (!('locks' in navigator)) return play();
  await navigator.locks.request('tunemate/request-sound', { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    play();
    await new Promise((resolve) => setTimeout(resolve, oneTickMs));
  });
}

function softTick(): void {
  const context = new AudioContext();
  const [tone, level] = [context.createOscillator(), context.createGain()];
  const startS = context.currentTime;
  tone.frequency.value = 880;
  level.gain.setValueAtTime(0.06, startS);
  level.gain.exponentialRampToValueAtTime(0.0001, startS + 0.18);
  tone.connect(level).connect(context.destination);
  tone.addEventListener('ended', () => void context.close());
  tone.start();
  tone.stop(startS + 0.2);
}

export const requestSound: RequestSound = createRequestSound(deviceStorage);

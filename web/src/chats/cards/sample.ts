/**
 * The first seconds of a track, which its card plays unless the user wants all of it: many cards are pressed to hear
 * what was meant.
 */
import { useRef, useState } from 'react';

export const sampleSeconds = 30;

export interface Sample {
  /** What plays it; null once that has ended. */
  hold(element: HTMLMediaElement | null): void;
  /** It plays to its end. */
  readonly isWhole: boolean;
  /** The first seconds have been played, and it stands still. */
  readonly isOver: boolean;
  /** On from where it stands; from the beginning once the first seconds are over. */
  play(): void;
  pause(): void;
  /** On from where it stands, to the end of the track. */
  playAll(): void;
  /** The next press plays the first seconds again. */
  reset(): void;
  /** It plays now. */
  began(): void;
  /** It is at another place now. */
  moved(): void;
}

/** `seconds` is how long the track is; null while that is not known. */
export function useSample(seconds: number | null): Sample {
  const media = useRef<HTMLMediaElement>(null);
  const [wantsAll, setWantsAll] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const isWhole = wantsAll || (seconds !== null && seconds <= sampleSeconds);

  function resume(from?: number): void {
    const element = media.current;
    if (element === null) return;
    if (from !== undefined) element.currentTime = from;
    void element.play().catch(() => undefined);
  }
  return {
    isWhole,
    isOver,
    hold(element) {
      media.current = element;
    },
    pause: () => media.current?.pause(),
    play: () => resume(isOver && !isWhole ? 0 : undefined),
    playAll() {
      setWantsAll(true);
      resume();
    },
    reset() {
      setWantsAll(false);
      setIsOver(false);
    },
    began() {
      // By the film's own keys: the user has seen that it stopped, or has sought further.
      if ((media.current?.currentTime ?? 0) >= sampleSeconds) setWantsAll(true);
      setIsOver(false);
    },
    moved() {
      const element = media.current;
      if (element === null || isWhole || element.paused || element.currentTime < sampleSeconds) return;
      element.pause();
      setIsOver(true);
    },
  };
}

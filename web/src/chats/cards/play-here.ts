/**
 * Playing a track from its card, on this device alone. One card plays at a time, and stops when a voice message is
 * heard or recorded. A room that is open on this page is silent meanwhile; the others in the room notice nothing.
 */
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { cell } from '../../store/cell.ts';
import { speech } from '../../store/speech.ts';
import { openVoice } from '../voice/open-voice.ts';

/** What the card that plays stops by. */
type Stop = () => void;

const current = cell<Stop | null>(null);

export interface PlayingHere {
  readonly isPlaying: boolean;
  /** The room on this page is silent for it. */
  readonly hushesRoom: boolean;
  /** It plays from now on, and what played before stops. */
  begin(): void;
  /** It plays no more: a pause, the end, or a failure. */
  end(): void;
}

/** `stop` makes this card silent, because another one begins or the card leaves the screen. */
export function usePlayingHere(stop: Stop): PlayingHere {
  const { visit } = useApp();
  const [isPlaying, setIsPlaying] = useState(false);
  const [hushesRoom, setHushesRoom] = useState(false);
  const unhush = useRef<() => void>(() => undefined);
  const latest = useRef(stop);
  useEffect(() => {
    latest.current = () => {
      stop();
      end();
    };
  });
  const [own] = useState<Stop>(() => () => latest.current());

  function end(): void {
    if (current.get() === own) current.set(null);
    unhush.current();
    unhush.current = () => undefined;
    setHushesRoom(false);
    setIsPlaying(false);
  }
  function begin(): void {
    const before = current.get();
    current.set(own);
    if (before !== own) before?.();
    openVoice.stop();
    const sound = visit.get()?.deviceSound;
    sound?.hush(true);
    unhush.current = () => {
      // The card that plays now needs the silence too.
      if (current.get() === null) sound?.hush(false);
    };
    setHushesRoom(sound !== undefined);
    setIsPlaying(true);
  }
  useEffect(() => speech.subscribe(() => void (speech.get() > 0 && current.get() === own && own())), [own]);
  useEffect(
    () => () => {
      if (current.get() !== own) return;
      current.set(null);
      unhush.current();
    },
    [own],
  );
  return { isPlaying, hushesRoom, begin, end };
}

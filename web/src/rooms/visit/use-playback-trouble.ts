/** What the host's controls could not do, or what the host's player could not play: shown for a while, then forgotten. */
import { useEffect, useState } from 'react';
import { sentenceOf } from '../../copy/errors.ts';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { trackFailed } from '../../playback/playback-words.ts';

const shownMs = 8000;

/** Null while all is well. */
export function usePlaybackTrouble(playback: PlaybackModel): string | null {
  const [trouble, setTrouble] = useState<{ words: string } | null>(null);
  useEffect(
    () =>
      playback.notices.subscribe((notice) => {
        const isRefused = notice.type === 'refused';
        setTrouble({ words: isRefused ? sentenceOf(notice.refusal) : trackFailed(notice.title, notice.code) });
      }),
    [playback],
  );
  useEffect(() => {
    if (trouble === null) return undefined;
    const timer = setTimeout(() => setTrouble(null), shownMs);
    return () => clearTimeout(timer);
  }, [trouble]);
  return trouble?.words ?? null;
}

/** Says what the host's controls could not do, and what the host's player could not play. */
import { useEffect } from 'react';
import { sentenceOf } from '../../copy/sentences.ts';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { trackFailed } from '../../playback/playback-sentences.ts';
import { useToast } from '../../ui/notices/toasts.ts';

export function usePlaybackNotices(playback: PlaybackModel): void {
  const toast = useToast();
  useEffect(
    () =>
      playback.notices.subscribe((notice) => {
        toast(notice.type === 'refused' ? sentenceOf(notice.refusal) : trackFailed(notice.title, notice.code));
      }),
    [playback, toast],
  );
}

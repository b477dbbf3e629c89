/** The words that belong to the moment that a video shows: its element reads the subtitles and keeps their time. */
import { useEffect, useState } from 'react';
import { useToast } from '../../ui/feedback/toasts.ts';

const none: readonly VTTCue[] = [];

/** `src` is a WebVTT file; the video is the one in `picture` that is seen. */
export function useCues(picture: HTMLElement, src: string): readonly VTTCue[] {
  const [cues, setCues] = useState(none);
  const toast = useToast();
  const video = picture.querySelector<HTMLVideoElement>('video:not([hidden])');
  useEffect(() => {
    if (video === null) return undefined;
    const element = document.createElement('track');
    const { track } = element;
    element.kind = 'subtitles';
    element.src = src;
    const show = () => setCues(Array.from(track.activeCues ?? [], (cue) => cue as VTTCue));
    const onFailed = () => toast('These subtitles could not be read');
    track.addEventListener('cuechange', show);
    element.addEventListener('load', show);
    element.addEventListener('error', onFailed);
    video.append(element);
    // Read, but not drawn by the browser, which would put them below the plates of full screen.
    track.mode = 'hidden';
    return () => {
      track.removeEventListener('cuechange', show);
      element.removeEventListener('error', onFailed);
      element.remove();
      setCues(none);
    };
  }, [video, src, toast]);
  return cues;
}

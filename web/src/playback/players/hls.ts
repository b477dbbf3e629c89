/**
 * Plays an HLS stream in a media element: by hls.js where the browser has Media Source Extensions, by the element itself
 * elsewhere (iPhones). Fetched with the first such stream. A live stream has no position that a room could share.
 */
import type { PlayerErrorCode } from '@tunemate/playback';
import Hls from 'hls.js';
import { subtitlesIn } from './current-stream.ts';
import { isRefusedForGood } from './media-element.ts';
import { subtitlesByHls, subtitlesOfElement } from './stream-subtitles.ts';

/** Begins to load; the returned function ends it and empties the element. `onFailed` is called once at most. */
export function attachHls(
  element: HTMLMediaElement,
  url: string,
  onFailed: (code: PlayerErrorCode) => void,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  // Its worker would come from a blob, and its lists of cues from data: the page's policy forbids both.
  const hls = Hls.isSupported() ? new Hls({ enableWorker: false, renderTextTracksNatively: false }) : null;
  const subtitles = subtitlesIn(element);
  const end = (): void => {
    subtitles.get()?.choose(null);
    subtitles.set(null);
    ending.abort();
    hls?.destroy();
  };
  const fail = (code: PlayerErrorCode): void => {
    if (signal.aborted) return;
    end();
    onFailed(code);
  };
  element.addEventListener('durationchange', () => element.duration === Infinity && fail('live'), { signal });
  if (hls === null) {
    subtitles.set(subtitlesOfElement(element, signal));
    element.src = url;
    return end;
  }
  hls.on(Hls.Events.LEVEL_LOADED, (_, { details }) => details.live && fail('live'));
  hls.on(Hls.Events.ERROR, (_, { fatal, type, response }) => {
    if (!fatal) return;
    if (type !== Hls.ErrorTypes.NETWORK_ERROR) fail('unsupported');
    else fail(isRefusedForGood(response?.code ?? 0) ? 'not-found' : 'network');
  });
  subtitles.set(subtitlesByHls(hls, element));
  hls.loadSource(url);
  hls.attachMedia(element);
  return end;
}

/** Which files count as playable, and what they are called on the wire. */
import { extname } from 'node:path';
import { isSubtitles } from './subtitles.ts';

/** MIME types by extension; the second is for files of that container with a video track. */
const formats: Readonly<Record<string, { audio: string; video?: string }>> = {
  '.mp3': { audio: 'audio/mpeg' },
  '.m4a': { audio: 'audio/mp4' },
  '.ogg': { audio: 'audio/ogg' },
  '.oga': { audio: 'audio/ogg' },
  '.opus': { audio: 'audio/ogg' },
  '.flac': { audio: 'audio/flac' },
  '.wav': { audio: 'audio/wav' },
  '.mp4': { audio: 'audio/mp4', video: 'video/mp4' },
  '.webm': { audio: 'audio/webm', video: 'video/webm' },
};

/** Images that usually lie beside an album; skipped without a log line. */
const sidecars = new Set([
  '.jpg',
  '.jpeg',
  '.png',
  '.webp',
  '.gif',
  '.txt',
  '.nfo',
  '.cue',
  '.log',
  '.m3u',
  '.m3u8',
  '.lrc',
  '.md',
  '.pdf',
  '.ini',
  '.db',
]);

/** Containers in which browsers seek to the exact sample; measured, like the figures below. */
const exact = new Set(['.m4a', '.mp4', '.flac', '.wav']);

/**
 * Whether all browsers seek to the exact position. In MP3 and Ogg they are off by 7 to 260 ms, differently in each
 * engine, so late joiners hear an echo; in WebM only Opus is exact.
 */
export function seeksExactly(path: string, codec: string | undefined): boolean {
  const extension = extname(path).toLowerCase();
  return exact.has(extension) || (extension === '.webm' && codec?.toLowerCase().includes('opus') === true);
}

export function isMediaFile(path: string): boolean {
  return Object.hasOwn(formats, extname(path).toLowerCase());
}

export function isSidecar(path: string): boolean {
  return isSubtitles(path) || sidecars.has(extname(path).toLowerCase());
}

/** The type of a media file, by its extension and whether it has a video track. */
export function formatOf(path: string, hasVideo: boolean): { kind: 'audio' | 'video'; mime: string } {
  const format = formats[extname(path).toLowerCase()];
  if (format === undefined) throw new Error(`not a media file: ${path}`);
  return hasVideo && format.video !== undefined
    ? { kind: 'video', mime: format.video }
    : { kind: 'audio', mime: format.audio };
}

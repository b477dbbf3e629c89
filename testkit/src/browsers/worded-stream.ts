/** An HLS stream with subtitles in two languages for its first six seconds, made by ffmpeg of a film. The German ones are its usual ones. */
import { inPieces, madeStream } from './made-stream.ts';

const cues = {
  de: [
    ['00:00.000 --> 00:03.000', 'Guten <i>Abend</i>'],
    ['00:03.000 --> 00:06.000', 'Ich lasse das Fenster offen'],
  ],
  // A piece of its own for each: ffmpeg repeats no cue that lasts longer than a piece.
  en: [
    ['00:00.000 --> 00:02.000', 'Good evening'],
    ['00:02.000 --> 00:04.000', 'Good evening'],
    ['00:04.000 --> 00:06.000', 'Good evening'],
  ],
} as const;

const master = (codecs: string): string => `#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="German",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,URI="de_vtt.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,URI="en_vtt.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="Songs",DEFAULT=NO,AUTOSELECT=NO,URI="en_vtt.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="${codecs}",SUBTITLES="words"
de.m3u8
`;

/** Its files by their names; `worded.m3u8` is the one to play. Throws `ServiceUnavailable` without ffmpeg. */
export function wordedStream(film: string, codecs = 'avc1.42C00A,mp4a.40.2'): ReadonlyMap<string, Buffer> {
  const texts = Object.entries(cues).map(([language, lines]) => {
    const text = ['WEBVTT', ...lines.map((cue) => cue.join('\n'))].join('\n\n');
    return [`${language}.vtt`, text] as const;
  });
  const maps = ['0:v', '0:a', '1:s'].flatMap((stream) => ['-map', stream]);
  const made = ['-c', 'copy', '-c:s', 'webvtt', ...inPieces, '-hls_segment_type', 'fmp4'];
  const runs = Object.keys(cues).map((language) => {
    return ['-i', film, '-i', `${language}.vtt`, ...maps, ...made, `${language}.m3u8`];
  });
  return new Map([...madeStream(runs, Object.fromEntries(texts)), ['worded.m3u8', Buffer.from(master(codecs))]]);
}

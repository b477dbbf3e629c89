/** An HLS stream, `hostile.m3u8`, whose subtitles are made to do harm. The server of the test has its film, `film.m3u8`. */

const markup =
  '<img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script><b>bold</b> & <i onclick=x>words</i>';
const wordsList = (end: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhostile.vtt\n${end}`;
const list = (name: string, uri: string) => `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="${name}",URI="${uri}"`;

/** Lists by the hundred, names and words of markup, 3,000 words at one moment, and a list that never ends. */
export const hostileSubtitles: Readonly<Record<string, string>> = {
  'hostile.m3u8': [
    '#EXTM3U',
    list('First', 'hostile_words.m3u8'),
    list('Endless', 'endless_words.m3u8'),
    list('Gone', 'no_words.m3u8'),
    ...Array.from({ length: 300 }, (_, at) => list(`${String(at)} <b>${'n'.repeat(500)}`, 'hostile_words.m3u8')),
    '#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.42C00A,mp4a.40.2",SUBTITLES="words"',
    'film.m3u8',
    '',
  ].join('\n'),
  'hostile_words.m3u8': wordsList('#EXT-X-ENDLIST\n'),
  'endless_words.m3u8': wordsList(''),
  'hostile.vtt': [
    'WEBVTT',
    `00:00.000 --> 00:06.000\n${markup}`,
    '00:05.000 --> 00:01.000\nbackwards',
    ...Array.from({ length: 3000 }, (_, at) => `00:00.000 --> 00:06.000\nword ${String(at)}`),
  ].join('\n\n'),
};

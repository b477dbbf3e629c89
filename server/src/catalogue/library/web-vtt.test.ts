/** Subtitles as they are found beside films, none of them by the book, and what browsers get of them. */
import { leastCpuMs } from '@tunemate/testkit/least-cpu';
import { describe, expect, test } from 'vitest';
import { webVttOf } from './web-vtt.ts';

const shown = (...lines: string[]): string[] =>
  webVttOf(Buffer.from(lines.join('\n')))
    .trim()
    .split('\n\n')
    .slice(1);
const first = '00:00:01.000 --> 00:00:02.000';
const second = '00:00:03.000 --> 00:00:04.000';
const one = '00:00:01,000 --> 00:00:02,000';
const two = '00:00:03,000 --> 00:00:04,000';

describe('no entry is lost', () => {
  test.each([
    ['lines of blanks between them', ['1', one, 'A', ' ', '2', two, 'B']],
    ['tabs and no-break spaces between them', ['1', one, 'A', '\t\u00A0', '2', two, 'B']],
    ['no line between them', ['1', one, 'A', '2', two, 'B']],
    ['no numbers', [one, 'A', '', two, 'B']],
    ['neither numbers nor lines between them', [one, 'A', two, 'B']],
    ['numbers that are wrong', ['7', one, 'A', '', '7', two, 'B']],
    ['an empty line before the text', ['1', one, '', 'A', '', '2', two, '', 'B']],
    ['blank lines between number and time', ['1', '', one, 'A', '', '2', '', two, 'B']],
    ['names instead of numbers', ['WEBVTT', '', 'intro', one, 'A', '', 'scene two', two, 'B']],
    ['a byte order mark and old line ends', ['\uFEFF1\r', `${one}\r`, 'A\r', '\r', '2\r', `${two}\r`, 'B\r']],
    ['a title before the first', ['Film by Somebody', '', '1', one, 'A', '', '2', two, 'B']],
    ['times in brackets before the text', [`[${first}]  A`, `[${second}]  B`]],
    ['marks of direction around their times', ['1', `\u200F${one}\u200E`, 'A', '', '2', `\u202B${two}\u202C`, 'B']],
    ['invisible marks between them', ['1', one, 'A', '\u200B', '2', two, 'B']],
    [
      'arrows that a web page has escaped',
      ['1', one.replace('>', '&gt;'), 'A', '', '2', two.replace('>', '&gt;'), 'B'],
    ],
  ])('with %s', (_case, lines) => expect(shown(...lines)).toEqual([`${first}\nA`, `${second}\nB`]));

  test('text behind a blank line belongs to the entry in SubRip, and to none in WebVTT', () => {
    expect(shown('1', one, 'A', '', 'more', '', 'and more', '', '2', two, 'B', ' ', '7', 'last')).toEqual([
      `${first}\nA\nmore\nand more`,
      `${second}\nB\n7\nlast`,
    ]);
    expect(shown('1', one, 'A', '', 'more', '', '2', '', two, 'B', '', '3')).toEqual([
      `${first}\nA\nmore`,
      `${second}\nB`,
    ]);
    expect(shown('WEBVTT', '', one, 'A', '', 'more', '', two, 'B')).toEqual([`${first}\nA`, `${second}\nB`]);
  });

  test('a text that is a number stays', () => {
    expect(shown('1', one, '42', '', '2', two, '7', '8')).toEqual([`${first}\n42`, `${second}\n7\n8`]);
    expect(shown(one, '42', two, 'B')).toEqual([`${first}\n42`, `${second}\nB`]);
  });

  test('a sign in a text hides nothing behind it', () => {
    expect(shown('1', one, 'I <3 you & a < b', 'x --> y')).toEqual([`${first}\nI &lt;3 you & a &lt; b\nx → y`]);
    expect(shown('1', one, '<unknown thing>')).toEqual([`${first}\n&lt;unknown thing>`]);
  });
});

describe('times are read as players read them', () => {
  test.each([
    ['00:00:01.000 --> 00:00:02.000', first],
    ['0:0:1,0 --> 0:0:2,0', first],
    ['00:01.000-->00:02.000', first],
    ['00:00:01,000 -> 00:00:02,000', first],
    ['00:00:01 --> 00:00:02', first],
    ['00: 00: 01, 000 --> 00: 00: 02, 000', first],
    ['٠٠:٠٠:٠١,٠٠٠ --> ٠٠:٠٠:٠٢,٠٠٠', first],
    ['۰۰:۰۰:۰۱٫۰۰۰ --> ۰۰:۰۰:۰۲٫۰۰۰', first],
    ['00:00:01:000 --> 00:00:02:000', first],
    ['00:00:01,000000 --> 00:00:02,000000', first],
    ['00:00:-1,000 --> 00:00:02,000', '00:00:00.000 --> 00:00:02.000'],
    ['-00:00:01,000 --> 00:00:02,000', '00:00:00.000 --> 00:00:02.000'],
    ['75:30.5 --> 75:31.5', '01:15:30.500 --> 01:15:31.500'],
    ['00:00:61,000 --> 00:00:62,000', '00:01:01.000 --> 00:01:02.000'],
    ['００:００:０１,０００ --> 00:00:02,000', first],
    ['"00:00:01,000" --> "00:00:02,000"', first],
    ['00:00:01;000 → 00:00:02;000', first],
    ['0:00:01.000,0:00:02.000', first],
    ['00:00:05,000 --> 00:00:05,000', '00:00:05.000 --> 00:00:07.000'],
    ['00:00:05,000 --> 00:00:01,000', '00:00:05.000 --> 00:00:07.000'],
  ])('%s', (given, read) => expect(shown('1', given, 'A')).toEqual([`${read}\nA`]));

  test('what ended before the film began is not shown', () => {
    expect(shown('1', '-00:00:03,000 --> -00:00:01,000', 'A', '', '2', two, 'B')).toEqual([`${second}\nB`]);
  });
});

describe('places and markup', () => {
  test.each([
    ['{\\an8}Sign', `${first} line:0\nSign`],
    ['{\\an7}{\\i1}Sign{\\i0}', `${first} line:0 align:start\n<i>Sign</i>`],
    ['{\\an2}Speech', `${first}\nSpeech`],
    ['{\\an6}Right', `${first} line:50% align:end\nRight`],
    ['{\\a6}Old way', `${first} line:0\nOld way`],
    ['{\\pos(192,230)\\fad(200,200)}Moved', `${first}\nMoved`],
    ['{\\c&HFFFFFF&\\b1}Bold{\\b0} plain', `${first}\n<b>Bold</b> plain`],
    ['{\\fnArial\\fs20}Font', `${first}\nFont`],
    ['{y:i}Slanted', `${first}\nSlanted`],
    ['{He sighs}', `${first}\n{He sighs}`],
    ['Two\\Nlines\\hhere', `${first}\nTwo\nlines here`],
    ['<I>Capitals</I>', `${first}\n<i>Capitals</i>`],
    ['<font color="#ff0000">Red</font>', `${first}\n<font color="#ff0000">Red</font>`],
    ['<v Ann>Hello', `${first}\n<v Ann>Hello`],
  ])('%s', (text, read) => expect(shown('1', one, text)).toEqual([read]));

  test.each([
    ['line:0% align:start', 'line:0% align:start'],
    ['position:10%,line-left align:left size:35%', 'position:10%,line-left align:left size:35%'],
    ['line:-1 align:middle', 'line:-1 align:center'],
    ['region:top vertical:rl', 'vertical:rl'],
    ['X1:100 X2:200 Y1:40 Y2:80', ''],
    ['line:<script> align:start', 'align:start'],
  ])('the settings %s', (given, kept) => {
    expect(shown('WEBVTT', '', `${one} ${given}`, 'A')).toEqual([`${first}${kept && ` ${kept}`}\nA`]);
  });
});

test.each([
  ['arrows', '-->'.repeat(500_000)],
  ['braces', '{\\'.repeat(700_000)],
  ['open tags', `1\n${one}\n${'<b '.repeat(500_000)}`],
  ['digits', '0'.repeat(1_500_000)],
  ['colons', '0:'.repeat(700_000)],
  ['blank lines', ' \n'.repeat(700_000)],
  ['times', `${one}\n`.repeat(60_000)],
  ['frames', '{1}{1}25\n' + '{1}{2}A|B\n'.repeat(180_000)],
  ['ASS', `[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Sign,,0,0,0,,${'{'.repeat(2_000_000)}`],
  ['SAMI', `<SAMI>${'<SYNC Start=1'.repeat(150_000)}`],
  ['TTML', `<tt><body>${'<p begin="1s" '.repeat(140_000)}`],
  ['bytes that are no text', '\0\u0001'.repeat(500_000)],
])('two megabytes of %s are read in time that grows with their length only', async (_kind, text) => {
  const took = (part: string) => leastCpuMs(() => webVttOf(Buffer.from(part)));
  // Four times the length, squared, is sixteen times as much.
  expect(await took(text)).toBeLessThan(Math.max(await took(text.slice(0, text.length / 4)), 5) * 10);
});

test.each([
  ['MicroDVD', ['{1}{1}25', '{25}{50}A|more', '{75}{100}{y:i}B']],
  ['MicroDVD without its rate', ['{24}{48}A|more', '{72}{96}B']],
  ['MPL2', ['[10][20]A|more', '[30][40]/B']],
  ['TMPlayer', ['00:00:01:A|more', '00:00:03:B', '00:00:04:']],
  [
    'SubViewer',
    [
      '[INFORMATION]',
      '[TITLE]x',
      '[SUBTITLE]',
      '00:00:01.00,00:00:02.00',
      'A[br]more',
      '',
      '00:00:03.00,00:00:04.00',
      'B',
    ],
  ],
  ['SBV', ['0:00:01.000,0:00:02.000', 'A', 'more', '', '0:00:03.000,0:00:04.000', 'B']],
  [
    'SAMI',
    [
      '<SAMI><BODY>',
      '<SYNC Start=1000><P Class=KRCC>A<br>more',
      '<SYNC Start=2000><P>&nbsp;',
      '<SYNC Start=3000><P>B',
      '<SYNC Start=4000><P>&nbsp;',
      '</BODY>',
    ],
  ],
  [
    'TTML by the clock',
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><head><styling><style xml:id="s1"/></styling></head>',
      '<body><div><p begin="00:00:01.000" end="00:00:02.000" style="s1">A<br/>more</p>',
      "<p end='00:00:04' begin='00:00:03'>",
      '  <span tts:fontStyle="italic">B</span>',
      '</p></div></body></tt>',
    ],
  ],
  [
    'TTML with prefixes, in frames and by lengths',
    [
      '<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" ttp:frameRate="25" ttp:timeBase="media"><tt:body><tt:div>',
      '<tt:p begin="00:00:01:00" dur="1s">A<tt:br />more</tt:p><tt:p begin="75f" dur="25f">B</tt:p>',
      '</tt:div></tt:body></tt:tt>',
    ],
  ],
  [
    'TTML in ticks',
    [
      '<tt ttp:tickRate="10000000"><body><div>',
      '<p begin="10000000t" end="20000000t">A<br></br>more</p><p begin="30000000t" end="40000000t">B</p>',
      '</div></body></tt>',
    ],
  ],
  [
    'TTML in seconds, milliseconds and minutes',
    [
      '<tt><body><div><p begin="1s" end="2000ms">A<br/>more</p><p begin="3.0s" end="0.0666667m">B</p></div></body></tt>',
    ],
  ],
])('%s becomes WebVTT', (_format, lines) => {
  const inSeconds = (time: string) => Math.round(Number(time.slice(6)));
  const read = shown(...lines).map((entry) => {
    const [, from = '', to = '', text = ''] = /^(\S+) --> (\S+)\n(.*)$/su.exec(entry) ?? [];
    return [inSeconds(from), inSeconds(to), text.replaceAll(/<\/?i>/gu, '')];
  });
  expect(read).toEqual([
    [1, _format === 'TMPlayer' ? 3 : 2, 'A\nmore'],
    [3, 4, 'B'],
  ]);
});

test('an entry of SubRip in the letters of a typewriter makes no TTML of its file', () => {
  expect(shown('1', one, '<tt>typed</tt>')).toEqual([expect.stringContaining('typed')]);
});

test('times inside a text are text', () => {
  expect(shown('1', one, '12:30,14:45', '00:00:05: begin')).toEqual([`${first}\n12:30,14:45\n00:00:05: begin`]);
});

test('the dialogue of ASS is shown in the order of its times, with its places and without drawings and comments', () => {
  const ass = `[Script Info]
Title: a film
[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:03.00,0:00:04.50,Default,,0,0,0,,Later
Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\an8}Hello, {\\i1}you{\\i0}\\Nand you
Comment: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,no
Dialogue: 0,0:00:01.00,0:00:02.50,Sign,,0,0,0,,{\\p1}m 0 0 l 10 0{\\p0}
`;
  expect(webVttOf(Buffer.from(ass))).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500 line:0\nHello, <i>you</i>\nand you\n\n00:00:03.000 --> 00:00:04.500\nLater\n',
  );
});

/**
 * Reads the words of a song with the times at which each line is sung, as `.lrc` files and tags have them, or words
 * without times. Nothing in them is markup. Pure.
 */
import { cleanTitle, limits, type Lyrics, plainDigits, plainWidth } from '@tunemate/protocol';
import { withoutReferences } from '@tunemate/domain';
import { entriesOfText } from './web-vtt.ts';

/** `[01:02.35]`, also with a minus, with hours, without parts of seconds, and with other signs between them. */
const stamp =
  /\[\s{0,5}(-?)\s{0,5}(?:(\d{1,2})\s{0,5}:\s{0,5}(?=\d{1,2}\s{0,5}:\s{0,5}\d{1,2}\s{0,5}[.,]))?(\d{1,4})\s{0,5}:\s{0,5}(-?\d{1,2})(?:\s{0,5}[.,:]\s{0,5}(\d{1,6}))?\s{0,5}\]/y;
/** As QQ, Kugou and NetEase count: `[1200,2500]`, begin and length in milliseconds. */
const stampInMs = /\[(\d{1,8}),\d{1,8}\]/y;
/** Of the first word, where its line has none. */
const stampOfWord = /<()()(\d{1,4}):(\d{1,2})(?:[.,:](\d{1,6}))?>/y;
/** `[ar: Ines]`: nothing of it is shown. `[Verse 1: Ines]` is a line, and so is `[Chorus: Ines]` among words without times. */
const tag = /\[\s{0,5}(\p{L}{1,30}|#)\s{0,5}:([^\]]{0,2000})(?:\]|$)/iuy;
const namedByPrograms =
  /^(?:ti|ar|al|au|by|lr|la|id|re|ve|tool|length|offset|encoding|#|title|artist|album|author|lyricist|composer|kana|total|language|hash|sign|qq|website|version)$/iu;
/** NetEase writes who made a song as JSON between its lines. */
const ofProgram = /^\s{0,5}\{"t":\d{1,9},"c":\[/u;
/** Who sings, or is heard behind, as programs for duets mark it. */
const ofSinger = /^(?:[FMD]|v\d{1,2})\s?:\s*(?=\S)/u;
const behind = /^\[bg:\s*(.*?)\]?$/iu;
/** Before the first line: `作词 : …`, `Lyrics by: …`. */
const credit =
  /^(?:(?:作)?[词詞曲]|[작편]곡|작사|[作编編][词詞曲]|制作人?|製作人?|监制|監製|混音|母[带帶]|录音|錄音|出品|发行|發行|和声|和聲|吉他|贝斯|鼓|词曲|[OS]P|弦[乐樂]|[键鍵][盘盤]|[统統][筹籌]|(?:paroles|musique|letra|música|musik|text|vocals?|guitars?|bass|drums|piano|strings|mixing|mastering)(?=\s{0,5}[:：])|(?:lyrics|words|music|composed|written|produced|arranged|mixed|mastered|synced|transcribed|downloaded|provided|lrc)\s{1,3}(?:by|from)|(?:lyricist|composer|arranger|producer|lyrics))\s{0,5}[:：]/iu;
/** The time of a word within a line. */
const wordTime = /[<[]\d{1,4}:\d{1,2}(?:[.,:]\d{1,6})?[>\]]/gu;
const wordTimeInMs = /[<(]\d{1,8},\d{1,8}(?:,\d{1,4})?[>)]/gu;
/** LyricsX writes translations below a line, and the times of its words as another line of its time. */
const translation = /^\[tr(?::[\w-]{1,20})?\]|^\[tt\].*/u;
const markup = /<\/?(?:[ibucv]|font|ruby|rt|lang)(?:[\s.][^<>]{0,200})?>|\{\\[^{}]{0,200}\}/giu;
/** Longer lines are cut, and more times than this of one line are no refrain. */
const longestLine = 2000;
const stampsOfLine = 50;
/** Lines beyond are not looked at: the longest song has a thousandth of them. */
const lookedAtLines = 50_000;
/** What lies behind in a text is not read. */
const lookedAtCharacters = 512 * 1024;
/** More text is not sent. */
const mostCharacters = 64 * 1024;

interface Entry {
  /** NaN where the line has no time. */
  ms: number;
  text: string;
}

/** What is around words that a program copied from the page of Genius. */
const aroundCopied = /^\s{0,9}\d{1,4} Contributors?(?:[^\n]{0,300}? Lyrics)?|\d{1,4}(?:\.\d)?K?Embed\s{0,9}$/gu;

/** Null for a text without words. */
export function lyricsOfText(whole: string): Lyrics | null {
  const text = whole.slice(0, lookedAtCharacters).replaceAll(aroundCopied, '');
  return ofSubtitles(text) ?? ofLines(text);
}

/** Of the formats of subtitles, each of which has a time or a mark that no words have: ASS, SAMI, SBV, TTML, and arrows. */
const ofFilms =
  /-->|<(?:\w{1,20}:)?tt[\s>]|<SAMI\b|^[ \t]{0,9}\[Events\]|^\d{1,2}:\d\d:\d\d\.\d{1,3},\d{1,2}:\d\d:\d\d/imu;
/** Programs for karaoke and those that listen to songs write subtitles. Null for another text. */
function ofSubtitles(text: string): Lyrics | null {
  if (!ofFilms.test(text)) return null;
  const entries = entriesOfText(text).slice(0, lookedAtLines);
  const lines = entries.flatMap(({ startMs, lines: own }) =>
    own
      .flatMap((line) => line.replaceAll(markup, '').split(/\\[Nn]/u))
      .map((line) => ({ ms: startMs, text: line.replaceAll('\\h', ' ') })),
  );
  return entries.length === 0 ? null : lyricsOfLines(lines);
}

function ofLines(text: string): Lyrics | null {
  const entries: Entry[] = [];
  let [offsetMs, isAllTags] = [0, true];
  for (const line of text.split(/\r\n?|[\n\u0085\u2028\u2029]|<br\s{0,3}\/?>/iu, lookedAtLines)) {
    if (ofProgram.test(line)) continue;
    const read = readLine(line.slice(0, longestLine));
    offsetMs = read.offsetMs ?? offsetMs;
    // Before the first time nothing but tags stands in brackets, if times follow.
    if (read.isTagOnly || (read.isOddTag && isAllTags && /^\s*\[\d+[:.]\d/mu.test(text))) continue;
    isAllTags = isAllTags && read.times.length === 0;
    // A line without a time of its own belongs to the one before it.
    const before = read.times.length === 0 ? [entries.at(-1)?.ms ?? Number.NaN] : read.times;
    for (const ms of before) entries.push({ ms, text: read.text });
  }
  return lyricsOfLines(entries.map(({ ms, text: each }) => ({ ms: ms - offsetMs, text: each })));
}

/** From syllables or lines with their times; NaN for none. A line break begins a line, where there are any. */
export function lyricsOfEntries(entries: readonly Entry[]): Lyrics | null {
  const isBroken = entries.slice(1).some(({ text }) => /[\r\n]/u.test(text));
  if (!isBroken) return lyricsOfLines(entries);
  const lines: Entry[] = [];
  for (const { ms, text } of entries.slice(0, lookedAtLines)) {
    const [same = '', ...next] = text.split(/\r\n?|\n/u);
    const last = lines.at(-1);
    if (last === undefined) lines.push({ ms, text: same });
    else last.text = (last.text + same).slice(0, longestLine);
    for (const each of next) lines.push({ ms, text: each });
  }
  return lyricsOfLines(lines);
}

interface ReadLine {
  times: number[];
  text: string;
  /** What `[offset:…]` says: positive where the words come too late. */
  offsetMs: number | null;
  isTagOnly: boolean;
  /** The same with a name that no program is known to write. */
  isOddTag: boolean;
}

function readLine(line: string): ReadLine {
  const times: number[] = [];
  let [at, offsetMs]: [number, number | null] = [/^[\s\uFEFF]*/u.exec(line)?.[0].length ?? 0, null];
  let [hasTag, oddAt, wordTimes] = [false, -1, wordTime];
  // As many characters as the line has.
  const signs = plainDigits(plainWidth(line));
  for (let looked = 0; looked < stampsOfLine; looked += 1) {
    const [inMs, named] = [matchAt(stampInMs, signs, at), matchAt(tag, line, at)];
    const time = inMs ?? matchAt(stamp, signs, at) ?? (looked === 0 ? matchAt(stampOfWord, signs, at) : null);
    if (inMs !== null) wordTimes = wordTimeInMs;
    if (time !== null) times.push(inMs === null ? msOf(time) : Number(inMs[1]));
    else if (named !== null) {
      if (namedByPrograms.test(named[1] ?? '')) hasTag = true;
      else if (times.length === 0 && oddAt < 0) oddAt = at;
      else break;
      if (named[1]?.toLowerCase() === 'offset') offsetMs = Number(named[2]) || 0;
    } else break;
    at += (time ?? named)?.[0].length ?? 0;
  }
  const isEmpty = times.length === 0 && line.slice(at).trim() === '';
  const said = line
    .slice(oddAt < 0 ? at : oddAt)
    .replace(times.length > 0 ? translation : /^$/u, '')
    .replaceAll(wordTimes, '')
    .trim();
  const text = said
    .replace(behind, '($1)')
    .replace(times.length > 0 ? ofSinger : /^$/u, '')
    .replaceAll(wordTimes, '');
  const isOddTag = oddAt >= 0 && isEmpty;
  return { times, text: text.trim(), offsetMs, isTagOnly: hasTag && isEmpty && !isOddTag, isOddTag };
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}

function msOf([, sign = '', hours = '0', minutes = '0', seconds = '0', fraction = '']: RegExpExecArray): number {
  const ms =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Math.abs(Number(seconds))) * 1000 +
    Number(fraction.slice(0, 3).padEnd(3, '0'));
  return sign === '-' || seconds.startsWith('-') ? -ms : ms;
}

function lyricsOfLines(all: readonly Entry[]): Lyrics | null {
  const isTimed = all.some(({ ms }) => Number.isFinite(ms)) && !haveOneTime(all);
  const entries = isTimed ? withoutCredits(all) : all;
  const lines = isTimed ? timedLines(entries) : entries.map(({ text }) => ({ ms: 0, text: cleaned(text) }));
  const first = lines.findIndex(({ text }) => text !== '');
  if (first < 0) return null;
  const shown = fitting(isTimed ? lines : lines.slice(first, lines.findLastIndex(({ text }) => text !== '') + 1));
  return isTimed
    ? { type: 'timed', lines: shown.map(({ ms, text }) => ({ atSeconds: ms / 1000, text })) }
    : { type: 'plain', lines: shown.map(({ text }) => text) };
}

/** More rows than a line has in several languages. */
const mostRows = 4;

/** Programs save words without times with the time 0: where most lines share one, it says nothing. */
function haveOneTime(entries: readonly Entry[]): boolean {
  const byTime = new Map<number, Set<string>>();
  for (const { ms, text } of entries) {
    if (text.trim() !== '') byTime.set(ms, (byTime.get(ms) ?? new Set()).add(text));
  }
  let [most, all] = [0, 0];
  for (const [ms, { size }] of byTime) [most, all] = [Number.isFinite(ms) ? Math.max(most, size) : most, all + size];
  return most > mostRows && most * 2 > all;
}

/** Who wrote and recorded a song stands before its first line. */
function withoutCredits(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findIndex(({ text }) => text.trim() !== '' && !credit.test(text.trim()));
  return first <= 0 ? entries : entries.filter(({ text }, at) => at >= first || !credit.test(text.trim()));
}

/** In the order of their times, lines of one time as one. A line before the first time begins with the track. */
function timedLines(entries: readonly Entry[]): Entry[] {
  const placed = entries.map(({ ms, text }) => ({ ms: Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : 0, text }));
  const lines: Entry[] = [];
  for (const { ms, text } of placed.toSorted((a, b) => a.ms - b.ms).slice(0, lookedAtLines)) {
    const last = lines.at(-1);
    if (last?.ms !== ms) {
      // One more than is sent, whose further lines would be lost.
      if (lines.length > limits.lyricsLines) break;
      lines.push({ ms, text: cleaned(text) });
    } else {
      const rows = [last.text, cleaned(text)].filter((each) => each !== '').join('\n');
      // What is too long for one line is the next one, at the same time.
      if (rows.length <= limits.titleLength) last.text = rows;
      else lines.push({ ms, text: cleaned(text) });
    }
  }
  return lines;
}

const cleaned = (text: string): string => cleanTitle(withoutReferences(text.slice(0, longestLine)), '');

/** As many lines as are sent. */
function fitting<T extends { text: string }>(lines: readonly T[]): T[] {
  let characters = 0;
  return lines.slice(0, limits.lyricsLines).filter(({ text }) => (characters += text.length) <= mostCharacters);
}

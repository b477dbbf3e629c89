/**
 * Reads the words of a song with the times at which each line is sung, as `.lrc` files and tags have them, or words
 * without times. Nothing in them is markup. Pure.
 */
import { cleanTitle, limits, type Lyrics, plainDigits, plainWidth } from '@tunemate/protocol';
import { entriesOfText } from './web-vtt.ts';

/** `[01:02.35]`, also with a minus, with hours, without parts of seconds, and with other signs between them. */
const stamp =
  /\[\s{0,5}(-?)\s{0,5}(?:(\d{1,2})\s{0,5}:\s{0,5}(?=\d{1,2}\s{0,5}:\s{0,5}\d{1,2}\s{0,5}[.,]))?(\d{1,4})\s{0,5}:\s{0,5}(-?\d{1,2})(?:\s{0,5}[.,:]\s{0,5}(\d{1,6}))?\s{0,5}\]/y;
/** `[ar: Ines]`: nothing of it is shown. `[Verse 1: Ines]` is a line. */
const tag = /\[\s{0,5}(ti|ar|al|au|by|lr|la|id|re|ve|tool|length|offset|encoding|#)\s{0,5}:([^\]]{0,500})\]/iy;
/** The time of a word within a line. */
const wordTime = /[<[]\d{1,4}:\d{1,2}(?:[.,:]\d{1,6})?[>\]]/gu;
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

/** Null for a text without words. */
export function lyricsOfText(whole: string): Lyrics | null {
  const text = whole.slice(0, lookedAtCharacters);
  return ofSubtitles(text) ?? ofLines(text);
}

/** Programs that listen to songs write subtitles. Null for another text. */
function ofSubtitles(text: string): Lyrics | null {
  if (!/-->|<(?:\w{1,20}:)?tt[\s>]/u.test(text)) return null;
  const entries = entriesOfText(text).slice(0, lookedAtLines);
  const lines = entries.flatMap(({ startMs, lines: own }) =>
    own.map((line) => ({ ms: startMs, text: line.replaceAll(markup, '') })),
  );
  return entries.length === 0 ? null : lyricsOfLines(lines);
}

function ofLines(text: string): Lyrics | null {
  const entries: Entry[] = [];
  let offsetMs = 0;
  for (const line of text.split(/\r\n?|[\n\u0085\u2028\u2029]/u, lookedAtLines)) {
    const read = readLine(line.slice(0, longestLine));
    offsetMs = read.offsetMs ?? offsetMs;
    if (read.isTagOnly) continue;
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
}

function readLine(line: string): ReadLine {
  const times: number[] = [];
  let [at, offsetMs, hasTag]: [number, number | null, boolean] = [
    /^[\s\uFEFF]*/u.exec(line)?.[0].length ?? 0,
    null,
    false,
  ];
  // As many characters as the line has.
  const signs = plainDigits(plainWidth(line));
  for (let looked = 0; looked < stampsOfLine; looked += 1) {
    const [time, named] = [matchAt(stamp, signs, at), matchAt(tag, line, at)];
    if (time !== null) times.push(msOf(time));
    else if (named !== null) {
      hasTag = true;
      if (named[1]?.toLowerCase() === 'offset') offsetMs = Number(named[2]) || 0;
    } else break;
    at += (time ?? named)?.[0].length ?? 0;
  }
  const text = line.slice(at).replaceAll(wordTime, '').trim();
  return { times, text, offsetMs, isTagOnly: hasTag && times.length === 0 && text === '' };
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

function lyricsOfLines(entries: readonly Entry[]): Lyrics | null {
  const isTimed = entries.some(({ ms }) => Number.isFinite(ms));
  const lines = isTimed ? timedLines(entries) : entries.map(({ text }) => ({ ms: 0, text: cleaned(text) }));
  const first = lines.findIndex(({ text }) => text !== '');
  if (first < 0) return null;
  const shown = fitting(isTimed ? lines : lines.slice(first, lines.findLastIndex(({ text }) => text !== '') + 1));
  return isTimed
    ? { type: 'timed', lines: shown.map(({ ms, text }) => ({ atSeconds: ms / 1000, text })) }
    : { type: 'plain', lines: shown.map(({ text }) => text) };
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
    } else if (last.text.length < limits.titleLength) {
      last.text = [last.text, cleaned(text)].filter((each) => each !== '').join('\n');
    }
  }
  return lines;
}

const cleaned = (text: string): string => cleanTitle(text.slice(0, longestLine), '');

/** As many lines as are sent. */
function fitting<T extends { text: string }>(lines: readonly T[]): T[] {
  let characters = 0;
  return lines.slice(0, limits.lyricsLines).filter(({ text }) => (characters += text.length) <= mostCharacters);
}

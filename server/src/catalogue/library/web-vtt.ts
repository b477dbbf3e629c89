/**
 * Turns subtitles into WebVTT, the one format that browsers show. SubRip and WebVTT are read as tolerantly as players do:
 * what can be shown is shown, where its file wants it, and no entry takes another one with it.
 */
import { plainDigits } from '@tunemate/protocol';
import { type Entry, entriesOfFormats } from './subtitle-formats.ts';
import { decodedText } from './text-encoding.ts';

/** Hours and parts of seconds may be missing; blanks may stand anywhere. */
const time = String.raw`(-?)\s?(?:(\d{1,4})\s?:\s?)?(-?\d{1,4})\s?:\s?(-?\d{1,4})(?:\s?[,.:;٫،]\s?(\d{1,9}))?`;
const timing = new RegExp(String.raw`^${time}\s{0,9}(?:(?:-{1,3}|[–—=]{1,2})>|[→⟶])\s{0,9}${time}(?!\d)(.*)$`, 'u');
/** As SubViewer and SBV write it. */
const spanWithComma = /^(\d+:\d\d:\d\d\.\d+),(\d+:\d\d:\d\d\.\d+)$/u;
/** As programs print it that listen to speech: `[00:01.000 --> 00:02.000] Hello`. */
const inBrackets = /^\s*\[([^[\]]{1,60}>[^[\]]{1,60})\](.*)$/u;
/** Longer lines are no times. */
const longestTimeLine = 500;
/** How long an entry is shown whose end is not after its start. */
const shownAnywayMs = 2000;

/** `name` is what is known of the language, as in `decodedText`. */
export function webVttOf(bytes: Uint8Array, name: string | null = null): string {
  const shown = entriesOfText(decodedText(bytes, name)).flatMap((entry) => {
    const { text, place } = shownText(entry.lines.join('\n'));
    const { startMs, endMs } = entry;
    if (text === '' || endMs < 0) return [];
    const from = Math.max(0, startMs);
    const until = endMs > from ? endMs : from + shownAnywayMs;
    const settings = entry.settings || place;
    return [`${stamp(from)} --> ${stamp(until)}${settings && ` ${settings}`}\n${text}`];
  });
  return ['WEBVTT', ...shown].join('\n\n').concat('\n');
}

/** Whether anything of these subtitles is shown. */
export const hasEntries = (bytes: Uint8Array): boolean => webVttOf(bytes).includes(' --> ');

/** The entries of a text of any format, none for another text. */
export function entriesOfText(text: string): Entry[] {
  const lines = text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replaceAll('\0', '')
    .split('\n');
  return entriesOfFormats(lines, begun) ?? entriesOf(lines);
}

const isBlank = (line: string | undefined): boolean => line === undefined || /^[\s\p{Cf}]*$/u.test(line);
const isNumber = (line: string | undefined): boolean => /^\s*\d{1,9}\s*$/u.test(line ?? '');

/** The entry that begins with this line, with the text behind its times; null for another line. */
function begun(line: string): Entry | null {
  if (line.length > longestTimeLine || !line.includes(':')) return null;
  const [, times = line, text = ''] = inBrackets.exec(line) ?? [];
  const plain = plainDigits(times.normalize('NFKC'))
    .replaceAll('&gt;', '>')
    .replaceAll(/["\p{Cf}]/gu, '')
    .trim();
  const match = timing.exec(plain.replace(spanWithComma, '$1 --> $2'));
  if (match === null) return null;
  const parts = match.slice(1);
  return {
    startMs: msOf(parts.slice(0, 5)),
    endMs: msOf(parts.slice(5, 10)),
    settings: settingsOf(parts[10]),
    lines: isBlank(text) ? [] : [text.trim()],
  };
}

function entriesOf(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  const begins = lines.map(begun);
  /** The entry that the next line belongs to, and whether a blank line has ended the last one. */
  let open: Entry | null = null;
  let isSplit = false;
  const isWebVtt = /^\uFEFF?\s*WEBVTT/u.test(lines.find((line) => !isBlank(line)) ?? '');
  /** Whether a number that stands alone belongs to a time further on, or to nothing. */
  const isAlone = (at: number): boolean => {
    let next = at + 1;
    while (next < lines.length && isBlank(lines[next])) next += 1;
    return isNumber(lines[at]) && (next === lines.length || Boolean(begins[next]));
  };
  let isNote = false;
  let lastNumber = 0;
  for (const [at, line] of lines.entries()) {
    const begin = begins[at] ?? null;
    const isAfterBlank = isBlank(lines[at - 1]);
    if (isBlank(line)) {
      isNote = false;
      // A blank line before the text is a slip; after it, it ends the entry, but in SubRip text that follows is its.
      if (open !== null && open.lines.length > 0) {
        open = null;
        isSplit = true;
      }
    } else if (isNote) {
      // Of a comment nothing is shown, not even a time.
    } else if (isAfterBlank && /^(?:NOTE|STYLE|REGION)(?:\s|$)/u.test(line)) {
      isNote = true;
      open = null;
      isSplit = false;
    } else if (begin !== null) {
      open = begin;
      isSplit = false;
      entries.push(begin);
    } else if (begins[at + 1] && isHeading(line, isAfterBlank, open, lastNumber)) {
      if (isNumber(line)) lastNumber = Number(line);
    } else {
      if (open === null && isSplit && !isWebVtt && !isAlone(at)) open = entries.at(-1) ?? null;
      open?.lines.push(line);
    }
  }
  return entries;
}

/** Whether the line before a time is the entry's number or name, and no text of the entry before it. */
function isHeading(line: string, isAfterBlank: boolean, open: Entry | null, lastNumber: number): boolean {
  if (isAfterBlank) return true;
  return isNumber(line) && (Number(line) === lastNumber + 1 || open === null || open.lines.length > 0);
}

/** A minus anywhere makes the whole negative. */
function msOf([sign = '', hours = '0', minutes = '0', seconds = '0', fraction = '']: (string | undefined)[]): number {
  const isNegative = [sign, minutes, seconds].some((part) => part.startsWith('-'));
  const [m, s] = [Math.abs(Number(minutes)), Math.abs(Number(seconds))];
  const ms = ((Number(hours) * 60 + m) * 60 + s) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return isNegative ? -ms : ms;
}

function stamp(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const seconds = `${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`;
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${seconds}`;
}

const percent = String.raw`\d{1,3}(?:\.\d{1,4})?%`;
const setting = new RegExp(
  `^(?:line:(?:-?\\d{1,3}|${percent})(?:,(?:start|center|end))?|position:${percent}(?:,(?:line-left|center|line-right))?` +
    `|size:${percent}|align:(?:start|center|end|left|right)|vertical:(?:rl|lr))$`,
  'u',
);

/** Where WebVTT places the entry. Regions and the pixels of SubRip are left out. */
function settingsOf(rest = ''): string {
  return rest
    .replaceAll('align:middle', 'align:center')
    .split(/\s+/u)
    .filter((word) => setting.test(word))
    .join(' ');
}

/** A `<` that begins no tag of WebVTT or SubRip: it would hide what follows. */
const signAlone = /<(?!(?:\/?(?:[ibucv]|ruby|rt|lang|font|s)(?:[\s.][^<>]{0,200})?|\d{1,4}:\d\d[\d:.]{0,12})>)/giu;

/** The text as WebVTT writes it, and where an override of ASS places it. */
function shownText(raw: string): { text: string; place: string } {
  let place = '';
  const text = raw
    .replaceAll(/\{[^{}\n]{0,500}\}/gu, (braces) => {
      if (braces.startsWith('{\\')) {
        place ||= placeOf(braces);
        return tagsOf(braces);
      }
      // Styles of MicroDVD, as some converters leave them.
      return /^\{[a-z]:[^{}]*\}$/iu.test(braces) ? '' : braces;
    })
    .replaceAll(/\\[Nn]|\[br\]/gu, '\n')
    .replaceAll('\\h', ' ')
    .replaceAll(/<\/?[A-Z]+>/gu, (tag) => tag.toLowerCase())
    .replaceAll(signAlone, '&lt;')
    // An arrow inside a text would end its entry, and so would an empty line.
    .replaceAll('-->', '→')
    .split('\n')
    .filter((line) => !isBlank(line))
    .join('\n');
  return { text: isBlank(text.replaceAll(/<[^<>]{0,220}>/gu, '')) ? '' : text, place };
}

/** `\an8` is the keypad's 8: at the top, in the middle. `\a6` is the older way to say it. */
function placeOf(braces: string): string {
  const keypad = /\\an([1-9])/u.exec(braces)?.[1];
  const legacy = /\\a(\d{1,2})(?!\d)/u.exec(braces)?.[1];
  const row =
    keypad === undefined ? [0, 2, 1][Math.floor(Number(legacy ?? 0) / 4)] : Math.floor((Number(keypad) - 1) / 3);
  const column = keypad === undefined ? Number(legacy ?? 2) % 4 : ((Number(keypad) - 1) % 3) + 1;
  const line = ['', 'line:50%', 'line:0'][row ?? 0] ?? '';
  const align = ['', 'align:start', '', 'align:end'][column] ?? '';
  return [line, align].filter(Boolean).join(' ');
}

/** Italics, bold and underlines; colours, fonts, moves and fades are left out. */
function tagsOf(braces: string): string {
  return [...braces.matchAll(/\\([ibu])([01])(?!\d)/gu)]
    .map(([, name = '', isOn]) => (isOn === '1' ? `<${name}>` : `</${name}>`))
    .join('');
}

/**
 * Reads formats of subtitles from before WebVTT that players still know: ASS, MicroDVD, MPL2, TMPlayer, SubViewer,
 * YouTube's SBV, SAMI and TTML (DFXP) of television. Each becomes entries with a begin and an end. Pure.
 */

export interface Entry {
  startMs: number;
  endMs: number;
  settings: string;
  lines: string[];
}

/** How long an entry without an end is shown, when the next one does not begin earlier. */
const longestMs = 5000;
/** Of films, where a file that counts frames does not say it. */
const usualFramesPerSecond = 24_000 / 1001;

/** Reads a line that is a time span and nothing else; null for another line. */
type ReadSpan = (line: string) => Entry | null;

const isAss = (line: string): boolean => /^\s*\[Script Info\]/iu.test(line);

/** Null when the lines are in none of these formats. */
export function entriesOfFormats(lines: readonly string[], readSpan: ReadSpan): Entry[] | null {
  if (lines.some(isAss)) return entriesOfAss(lines, readSpan);
  const head = lines.slice(0, 50);
  if (head.some((line) => /<SAMI\b/iu.test(line))) return entriesOfSami(lines);
  const isTtml =
    head.some((line) => /<(?:\w{1,20}:)?tt[\s>]/u.test(line)) && !lines.some((line) => line.includes('-->'));
  if (isTtml) return entriesOfTtml(lines.join('\n'));
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const perLine = perLineFormats.find(({ line }) => line.test(first));
  return perLine === undefined ? null : entriesPerLine(lines, perLine);
}

/** The lines of dialogue of ASS and SSA, without styles and drawings. Their last field is the text, commas included. */
function entriesOfAss(lines: readonly string[], readSpan: ReadSpan): Entry[] {
  let fields = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text'];
  let isInEvents = false;
  const entries: Entry[] = [];
  for (const line of lines) {
    const [, kind = '', rest = ''] = /^\s*(Format|Dialogue)\s*:(.*)$/iu.exec(line) ?? [];
    if (/^\s*\[/u.test(line)) isInEvents = /^\s*\[Events\]/iu.test(line);
    else if (isInEvents && kind.toLowerCase() === 'format') {
      fields = rest.split(',').map((field) => field.trim().toLowerCase());
    } else if (isInEvents && kind !== '') {
      const values = rest.split(',');
      const text = values.slice(fields.length - 1).join(',');
      const valueOf = (field: string): string => values[fields.indexOf(field)]?.trim() ?? '';
      const entry = readSpan(`${valueOf('start')} --> ${valueOf('end')}`);
      if (entry !== null && !/\{[^{}]*\\p[1-9]/u.test(text)) entries.push({ ...entry, lines: [text] });
    }
  }
  // Lines stand in the order of their making.
  return entries.toSorted((a, b) => a.startMs - b.startMs);
}

/** A format with one entry in each line. `|` ends a line of text, `/` before it means italics. */
interface PerLine {
  /** Its groups are the begin, the end if there is one, and the text. */
  line: RegExp;
  msOf: (time: string, framesPerSecond: number) => number;
}

const perLineFormats: readonly PerLine[] = [
  // MicroDVD counts frames.
  { line: /^\uFEFF?\{(\d{1,8})\}\{(\d{0,8})\}(.*)$/u, msOf: (frames, rate) => (Number(frames) / rate) * 1000 },
  // MPL2 counts tenths of a second.
  { line: /^\uFEFF?\[(\d{1,8})\]\[(\d{0,8})\](.*)$/u, msOf: (tenths) => Number(tenths) * 100 },
  // TMPlayer knows no ends.
  { line: /^\uFEFF?(\d{1,2}:\d\d:\d\d)()[:=](?!.*>)(.*)$/u, msOf: ofClock },
];

function ofClock(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function entriesPerLine(lines: readonly string[], { line, msOf }: PerLine): Entry[] {
  const found = lines.flatMap((each) => {
    const [, begin, end = '', text = ''] = line.exec(each) ?? [];
    return begin === undefined ? [] : [{ begin, end, text: text.trim() }];
  });
  // `{1}{1}25` in the first line is the number of frames in a second.
  const said = found[0]?.end === found[0]?.begin ? Number(found[0]?.text) : Number.NaN;
  const rate = said > 1 && said < 1000 ? said : usualFramesPerSecond;
  const entries = (rate === said ? found.slice(1) : found).map(({ begin, end, text }) => ({
    startMs: Math.round(msOf(begin, rate)),
    endMs: end === '' ? 0 : Math.round(msOf(end, rate)),
    settings: '',
    lines: text.split('|').map((part) => part.replace(/^\/(.*)$/u, '<i>$1</i>')),
  }));
  return withEnds(entries);
}

/** Entries of SAMI, in which each begin is the end of the one before. */
function entriesOfSami(lines: readonly string[]): Entry[] {
  const [, ...parts] = lines.join('\n').split(/<SYNC\s[^<>]{0,50}?Start\s*=\s*"?(?=\d)/iu);
  const entries = parts.map((part) => {
    const text = part
      .replace(/^[^<>]{0,50}>/u, '')
      .replaceAll(/\s+/gu, ' ')
      .replaceAll(/<br\s*\/?>/giu, '\n')
      .replaceAll('&nbsp;', ' ')
      .replaceAll(/<(?!\/?[ibu]>)[^<>]{0,500}>/giu, '');
    return { startMs: Number.parseInt(part, 10), endMs: 0, settings: '', lines: text.split('\n').map((x) => x.trim()) };
  });
  return withEnds(entries, Number.POSITIVE_INFINITY);
}

/** What the root of TTML says of its times. */
interface TtmlRates {
  frames: number;
  ticks: number;
}

/** The paragraphs of TTML, each with times of its own; its places and colours are left out. */
function entriesOfTtml(text: string): Entry[] {
  const rateOf = (name: string): number => Number(new RegExp(`\\b${name}="(\\d{1,9})"`, 'u').exec(text)?.[1] ?? 0);
  const frames = rateOf('frameRate') || 30;
  const rates = { frames, ticks: rateOf('tickRate') || (text.includes('frameRate=') ? frames : 1) };
  const [, ...parts] = text.split(/<(?:\w{1,20}:)?p(?=[\s>])/u);
  const entries = parts.flatMap((part): Entry[] => {
    const close = part.indexOf('>');
    const timeOf = (name: string): number | null => {
      const [, time] = new RegExp(`\\s${name}\\s?=\\s?["']([^"']{1,40})["']`, 'u').exec(part.slice(0, close)) ?? [];
      return time === undefined ? null : msOfTtml(time, rates);
    };
    const startMs = timeOf('begin') ?? firstSpan(part, rates);
    if (close < 0 || startMs === null) return [];
    const lasts = timeOf('dur');
    const endMs = timeOf('end') ?? (lasts === null ? 0 : startMs + lasts);
    return [{ startMs, endMs, settings: '', lines: linesOfTtml(part.slice(close + 1)) }];
  });
  return withEnds(entries.toSorted((a, b) => a.startMs - b.startMs));
}

/** Of a paragraph whose syllables alone have times. */
function firstSpan(part: string, rates: TtmlRates): number | null {
  const [, time] = /<(?:\w{1,20}:)?span\s[^<>]{0,300}?\bbegin\s?=\s?["']([^"']{1,40})["']/u.exec(part) ?? [];
  return time === undefined ? null : msOfTtml(time, rates);
}

function linesOfTtml(part: string): string[] {
  const [words = ''] = part.split(/<\/(?:\w{1,20}:)?p\s?>/u, 1);
  return (
    words
      .replaceAll(/\s+/gu, ' ')
      .replaceAll(/<(?:\w{1,20}:)?br\s?\/?>/gu, '\n')
      // The same line in another language or script.
      .replaceAll(/<span\b[^<>]{0,300}\brole="x-(?:translation|roman)[^<>]{0,300}>/gu, '\n')
      .replaceAll(/<[^<>]{0,500}>/gu, '')
      .split('\n')
      .map((line) => line.trim())
  );
}

/**
 * `00:00:01.5`, `00:00:01:12` with frames, `1.5s`, `300ms`, `25f` or `10000000t`, and as words of songs have it `1:01.5`
 * and `61.5`; null for anything else.
 */
function msOfTtml(time: string, { frames, ticks }: TtmlRates): number | null {
  const [, hours = '0', clock, part = '', frame = ''] =
    /^(?:(\d{1,4}):)?(\d{1,4}:\d\d)(\.\d{1,9})?(?::(\d{1,3}))?$/u.exec(time) ?? [];
  if (clock !== undefined)
    return Math.round(ofClock(`${hours}:${clock}`) + Number(part) * 1000 + (Number(frame) / frames) * 1000);
  const [, count, unit = 's'] = /^(\d{1,15}(?:\.\d{1,9})?)(h|m|s|ms|f|t)?$/u.exec(time) ?? [];
  const msOf: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, f: 1000 / frames, t: 1000 / ticks };
  return count === undefined ? null : Math.round(Number(count) * (msOf[unit] ?? 0));
}

/** Entries without an end last to the next one's begin, or to the longest time. */
function withEnds(entries: readonly Entry[], longest = longestMs): Entry[] {
  return entries.map((entry, at) => {
    const untilNext = (entries[at + 1]?.startMs ?? entry.startMs + longestMs) - entry.startMs;
    return entry.endMs > 0 ? entry : { ...entry, endMs: entry.startMs + Math.min(untilNext, longest) };
  });
}

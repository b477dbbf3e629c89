/** What was heard as a table to read. Knows figures, not how they came about. */
import { median, percentile } from '@tunemate/testkit/percentile';
import { type HeardPhase, reportedMs, unknownMs } from '@tunemate/testkit/heard/judge';
import { machine, tableOf } from '../report/write-page.ts';

/** Figures of one phase of one pair: each the median of its runs, the worst ones of all. Milliseconds. */
export interface HeardFigures {
  readonly pair: string;
  readonly format: string;
  readonly phase: string;
  /** Signed: positive when the guest is ahead of the host. */
  readonly heardMs: number;
  readonly heardP95Ms: number;
  readonly heardWorstMs: number;
  readonly reportedMs: number;
  /** Heard minus reported, of all settled stretches of all runs; the worst without its sign. */
  readonly unknownMs: number;
  readonly unknownWorstMs: number;
  readonly settled: number;
  readonly badgesMs: number;
  readonly silenceMs: number;
  readonly rateChanges: number;
  readonly stretches: number;
  /** Stretches that could not be compared. */
  readonly unclear: number;
  readonly load: number;
  readonly runs: number;
}

const present = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** `runs` are the same phase of the same pair. */
export function figuresOf(pair: string, format: string, runs: readonly HeardPhase[]): HeardFigures {
  const parts = runs.map(({ stretches }) => {
    const heard = present(stretches.map(({ heardMs }) => heardMs));
    const reported = present(stretches.map(reportedMs));
    const unknown = unknownMs(stretches);
    return { heard, sizes: heard.map(Math.abs), reported, unknown, count: stretches.length };
  });
  const unknown = parts.flatMap((part) => part.unknown);
  const over = (figure: (part: (typeof parts)[number]) => number): number => median(parts.map(figure));
  return {
    pair,
    format,
    phase: runs[0]?.name ?? '',
    heardMs: over(({ heard }) => median(heard)),
    heardP95Ms: over(({ sizes }) => percentile(sizes, 0.95)),
    heardWorstMs: Math.max(...parts.flatMap(({ sizes }) => sizes)),
    reportedMs: over(({ reported }) => median(reported)),
    unknownMs: median(unknown),
    unknownWorstMs: Math.max(...unknown.map(Math.abs)),
    settled: unknown.length,
    badgesMs: median(runs.map(({ badgeMs }) => badgeMs)),
    silenceMs: median(runs.map(({ silenceMs }) => silenceMs)),
    rateChanges: median(runs.map(({ rateChanges }) => rateChanges)),
    stretches: parts.reduce((sum, { count }) => sum + count, 0),
    unclear: parts.reduce((sum, { count, heard }) => sum + count - heard.length, 0),
    load: median(runs.map(({ load }) => load)),
    runs: runs.length,
  };
}

/** Whether a pair kept its bound, as far as it could be heard: one that mostly could not has not. */
export const isInside = ({ heardP95Ms, stretches, unclear }: HeardFigures, boundMs: number): boolean =>
  heardP95Ms <= boundMs && unclear <= stretches / 4;

/** One line of the table, headed as there. */
export function rowOf(figures: HeardFigures): Record<string, string> {
  const { pair, format, phase, stretches, unclear, settled } = figures;
  const ms = (value: number): string => (Number.isFinite(value) ? value.toFixed(1) : '–');
  return {
    pair,
    format,
    phase,
    'heard, median': ms(figures.heardMs),
    'heard, p95': ms(figures.heardP95Ms),
    'heard, worst': ms(figures.heardWorstMs),
    'reported, median': ms(figures.reportedMs),
    'heard minus reported, median': ms(figures.unknownMs),
    'and worst': ms(figures.unknownWorstMs),
    'badges admit': ms(figures.badgesMs),
    'longest silence': ms(figures.silenceMs),
    'rate changes': String(figures.rateChanges),
    'stretches (unclear, settled)': `${String(stretches)} (${String(unclear)}, ${String(settled)})`,
    runs: String(figures.runs),
    load: figures.load.toFixed(0),
  };
}

/** The whole report. `command` is what was typed. */
export function markdown(figures: readonly HeardFigures[], command: string): string {
  return `# What is heard

\`${command}\`

Two real browsers in one room of a real server, each on a channel of a sound system without a card, recorded on one
clock. Heard is how far the guest is ahead of the host (behind when negative), by the cross-correlation of stretches of one
second, in milliseconds; p95 and worst without the sign. Reported is the same by what both pages say of themselves.
'Heard minus reported' is what no page knows; only settled stretches count there, those like the ones before and after them,
since what a page says may be a second old. 'Badges admit' is the most that both badges together showed. A stretch whose
comparison has no clear answer (silence, or pages that call themselves over 450 ms apart) is counted as unclear, not
guessed. 'From track to track' plays tracks that are loud from their first sample to their last, three changes in a run: its
longest silence is the pause between two of them. 'Load' is the machine's average of the last minute: far beyond the number of its processors, browsers stall.
Each figure is the median of the runs, a worst one that of all of them.

${machine()}

${tableOf(figures.map(rowOf))}
`;
}

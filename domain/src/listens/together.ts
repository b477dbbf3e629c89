/**
 * What two people heard together: when the players of both were in step with one room, of what that room played then.
 * Times are server time in ms. Pure.
 */

export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What a page says of its player with each probe. */
export interface StepReport {
  readonly atMs: number;
  readonly isInStep: boolean;
  /** When it was not in step since the report before while its room played: from and until so many ms ago. */
  readonly missed: readonly (readonly [fromAgoMs: number, untilAgoMs: number])[];
}

/** Longer without a report a page is not believed. */
const longestPauseMs = 45_000;

/** When a page was in step between two of its reports; a page without an earlier one begins with this. */
export function heardBetween(before: Pick<StepReport, 'atMs' | 'isInStep'> | null, report: StepReport): Span[] {
  if (before === null || (!before.isInStep && !report.isInStep)) return [];
  const { atMs, missed } = report;
  const gaps = missed.map(([fromAgoMs, untilAgoMs]) => ({ fromMs: atMs - fromAgoMs, untilMs: atMs - untilAgoMs }));
  const heard = without({ fromMs: before.atMs, untilMs: atMs }, gaps);
  return lengthOf(heard) > longestPauseMs ? [] : heard;
}

/** The same moments, each in one span only, in their order. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1);
    if (span.untilMs <= span.fromMs) continue;
    if (last && span.fromMs <= last.untilMs) {
      all[all.length - 1] = { fromMs: last.fromMs, untilMs: Math.max(last.untilMs, span.untilMs) };
    } else all.push(span);
  }
  return all;
}

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);

function without(whole: Span, gaps: readonly Span[]): Span[] {
  const left: Span[] = [];
  let { fromMs } = whole;
  for (const gap of joined(gaps)) {
    if (gap.fromMs > fromMs) left.push({ fromMs, untilMs: Math.min(gap.fromMs, whole.untilMs) });
    fromMs = Math.max(fromMs, gap.untilMs);
  }
  if (fromMs < whole.untilMs) left.push({ fromMs, untilMs: whole.untilMs });
  return left.filter(({ fromMs: from, untilMs: until }) => from < until);
}

/** The moments that are in both; each is joined. */
function inBoth(these: readonly Span[], those: readonly Span[]): Span[] {
  return these.flatMap((one) =>
    those.flatMap((other) => {
      const fromMs = Math.max(one.fromMs, other.fromMs);
      const untilMs = Math.min(one.untilMs, other.untilMs);
      return fromMs < untilMs ? [{ fromMs, untilMs }] : [];
    }),
  );
}

/** What a room played from a moment on, until the next of these. */
export interface PlayedFrom {
  readonly atMs: number;
  readonly trackId: string | null;
  readonly isPlaying: boolean;
  /** Then. */
  readonly positionSeconds: number;
  /** Null while it is unknown. */
  readonly durationSeconds: number | null;
}

export interface HeardPiece<From extends PlayedFrom> extends Span {
  readonly from: From;
  /** Of the track, when it began to be heard. */
  readonly positionSeconds: number;
}

/** The pieces of tracks that both heard within `span`, in their order. `played` is in its order. */
export function heardTogether<From extends PlayedFrom>(
  mine: readonly Span[],
  theirs: readonly Span[],
  played: readonly From[],
  span: Span,
): HeardPiece<From>[] {
  const both = inBoth(inBoth(joined(mine), joined(theirs)), [span]);
  return played.flatMap((from, index) => {
    if (!from.isPlaying || from.trackId === null) return [];
    const endMs =
      from.durationSeconds === null ? Infinity : from.atMs + (from.durationSeconds - from.positionSeconds) * 1000;
    const playing = { fromMs: from.atMs, untilMs: Math.min(played[index + 1]?.atMs ?? Infinity, endMs) };
    return inBoth(both, [playing]).map((piece) => ({
      ...{ ...piece, from },
      positionSeconds: from.positionSeconds + (piece.fromMs - from.atMs) / 1000,
    }));
  });
}

/** When a track counts as heard together. */
export const countsTogether = (heardMs: number, durationSeconds: number | null): boolean =>
  heardMs >= (durationSeconds === null ? enoughMs : Math.min(enoughMs, durationSeconds * 500));

const enoughMs = 4 * 60_000;

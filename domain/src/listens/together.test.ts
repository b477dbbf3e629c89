import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heardBetween, heardTogether, type PlayedFrom, type Span, type StepReport } from './together.ts';

/** What happens to a page: it is in step, its player stops for a while, its device sleeps, or it is loaded again. */
interface Happening {
  readonly type: 'hear' | 'stall' | 'sleep' | 'reload';
  readonly seconds: number;
}
const happening = fc.record({
  type: fc.constantFrom('hear', 'hear', 'hear', 'stall', 'sleep', 'reload'),
  seconds: fc.integer({ min: 1, max: 300 }),
}) as fc.Arbitrary<Happening>;
/** A person with one tab or two. */
const person = fc.array(fc.array(happening, { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 2 });
/** What the host does: plays or pauses a track for so long. */
const playing = fc.array(
  fc.record({
    isPlaying: fc.boolean(),
    track: fc.integer({ min: 0, max: 3 }),
    seconds: fc.integer({ min: 3, max: 240 }),
  }),
  { minLength: 1, maxLength: 16 },
);

const probeEveryMs = 30_000;
const stepMs = 250;

interface Recorded {
  /** Each quarter of a second in which the person heard what the room played. */
  readonly heard: ReadonlySet<number>;
  readonly spans: readonly Span[];
}

/**
 * A page as it behaves: it reports every 30 s, soon after it is in step again and when it wakes; where it is loaded
 * again the server sees its connection close. Before it reports it remembers when it was not in step while its room played.
 */
function recordedPage(happenings: readonly Happening[], isPlayingAt: (atMs: number) => boolean): Recorded {
  const heard = new Set<number>();
  const spans: Span[] = [];
  let before = null as Pick<StepReport, 'atMs' | 'isInStep'> | null;
  let missed: [number, number][] = [];
  let nowMs = 0;
  const report = (isInStep: boolean): void => {
    const agos = missed.map(([from, until]) => [nowMs - from, nowMs - until] as const);
    spans.push(...heardBetween(before, { atMs: nowMs, isInStep, missed: agos }));
    before = { atMs: nowMs, isInStep };
    missed = [];
  };
  for (const { type, seconds } of happenings) {
    const endMs = nowMs + seconds * 1000;
    if (type === 'reload') {
      // What the server does when the connection closes; the new page is in step some time later.
      const last: typeof before = before;
      if (last !== null)
        spans.push(
          ...heardBetween(last, {
            atMs: nowMs,
            isInStep: false,
            missed: missed.map(([from, until]) => [nowMs - from, nowMs - until]),
          }),
        );
      before = null;
      missed = [];
      nowMs += 2000;
      continue;
    }
    const hears = type === 'hear';
    if (hears) report(isPlayingAt(nowMs));
    for (; nowMs < endMs; nowMs += stepMs) {
      const plays = isPlayingAt(nowMs);
      if (hears && plays) heard.add(nowMs);
      // A device that slept does not know what its room did meanwhile.
      if (type === 'sleep' || (!hears && plays)) missed.push([nowMs, nowMs + stepMs]);
      const last: typeof before = before;
      const isAwake = type !== 'sleep';
      const began = hears && plays && last !== null && !last.isInStep;
      if (isAwake && (last === null || began || nowMs - last.atMs >= probeEveryMs)) report(hears && plays);
    }
  }
  const last: typeof before = before;
  if (last !== null)
    spans.push(
      ...heardBetween(last, {
        atMs: nowMs,
        isInStep: false,
        missed: missed.map(([from, until]) => [nowMs - from, nowMs - until]),
      }),
    );
  return { heard, spans };
}

test('minutes together are those of the recorded sessions within 5 s: reloads, two tabs, pauses and sleeps', () => {
  fc.assert(
    fc.property(person, person, playing, (mine, theirs, plays) => {
      const played: PlayedFrom[] = [];
      let atMs = 0;
      for (const { isPlaying, track, seconds } of plays) {
        played.push({ atMs, isPlaying, trackId: `lib_${String(track)}`, positionSeconds: 0, durationSeconds: null });
        atMs += seconds * 1000;
      }
      const stateAt = (ms: number) => played.findLast((from) => from.atMs <= ms);
      const isPlayingAt = (ms: number) => stateAt(ms)?.isPlaying === true;
      const tabsOf = (tabs: readonly (readonly Happening[])[]) => tabs.map((tab) => recordedPage(tab, isPlayingAt));
      const [me, them] = [tabsOf(mine), tabsOf(theirs)];
      const hears = (tabs: readonly Recorded[], ms: number) => tabs.some(({ heard }) => heard.has(ms));
      const moments = new Set(me.flatMap(({ heard }) => [...heard]));
      const truthMs = [...moments].filter((ms) => hears(them, ms)).length * stepMs;
      const spansOf = (tabs: readonly Recorded[]) => tabs.flatMap(({ spans }) => spans);
      const pieces = heardTogether(spansOf(me), spansOf(them), played, { fromMs: 0, untilMs: 10_000_000 });
      const countedMs = pieces.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
      expect(Math.abs(countedMs - truthMs)).toBeLessThanOrEqual(5000);
    }),
    { numRuns: 400 },
  );
});

const from = (atMs: number, more: Partial<PlayedFrom> = {}): PlayedFrom => ({
  ...{ atMs, trackId: 'lib_a', isPlaying: true, positionSeconds: 0, durationSeconds: 60, ...more },
});
const all = [{ fromMs: 0, untilMs: 1_000_000 }];

test('a piece is of the track that played, from the position at which it began to be heard, and not after its end', () => {
  const played = [from(0), from(30_000, { isPlaying: false }), from(40_000, { positionSeconds: 30 })];
  const pieces = heardTogether([{ fromMs: 10_000, untilMs: 900_000 }], all, played, { fromMs: 0, untilMs: 900_000 });
  expect(pieces.map(({ fromMs, untilMs, positionSeconds }) => [fromMs, untilMs, positionSeconds])).toEqual([
    [10_000, 30_000, 10],
    [40_000, 70_000, 30],
  ]);
});

test('a page that says nothing for long is not believed', () => {
  expect(heardBetween({ atMs: 0, isInStep: true }, { atMs: 60_000, isInStep: true, missed: [] })).toEqual([]);
});

/** Rooms with consecutive tracks, in virtual time: real loops, and the server's own room schedule. */
import { describe, expect, test } from 'vitest';
import { SimListener } from '../../testing/listener.ts';
import { SimLine, someLine } from '../../testing/network.ts';
import { SimPlayer } from '../../testing/player.ts';
import { SimRandom } from '../../testing/random.ts';
import { type SimCommand, SimServer } from '../../testing/server.ts';
import { SimTime } from '../../testing/time.ts';
import { type Timeline, positionAt } from '../room/timeline.ts';
import { audioSeekToleranceSeconds, changeAheadMs } from '../timings.ts';
import { toLoadNext } from '../room/room-schedule.ts';

const trackSeconds = 30;
const seeds = Array.from({ length: 30 }, (_, index) => index + 1);
const lookMs = 10;
/** A command of the host in the last second is one about the next track, which may then begin at once. */
const shortestMs = trackSeconds * 1000 - changeAheadMs;

interface Change {
  readonly trackKey: string;
  /** When it was last begun from its beginning. */
  startMs: number;
}

/** A room of four for two minutes. `act` may change it and gets the end time of the second track. */
function room(
  seed: number,
  act: (parts: { server: SimServer; time: SimTime; host: SimListener; random: SimRandom }) => void,
) {
  const time = new SimTime();
  const random = new SimRandom(seed);
  const server = new SimServer(time, trackSeconds);
  const changes: Change[] = [];
  const silencesMs: number[] = [];
  const queueOf = ({ trackKey }: Timeline) => ({
    videoQueue: [trackKey ?? '', server.nextKey].map((videoId) => ({ videoId, title: '' })),
    currentIndex: 0,
  });
  const listeners = ['host', 'one', 'two', 'three'].map((name) => {
    const listener: SimListener = new SimListener({
      name,
      time,
      random,
      line: new SimLine(time, random, someLine(random)),
      player: new SimPlayer(time, random, 'media', trackSeconds),
      seekToleranceSeconds: audioSeekToleranceSeconds,
      endOfTrack: 'next',
      isHost: name === 'host',
      answerProbe: (roundTripMs) => server.probe(listener, roundTripMs),
      onIntent: (intent, revision) => server.intent(intent, revision),
      onReady: (revision) => server.ready(listener, revision),
      toLoadNext: (timeline, serverMs) =>
        toLoadNext(
          { queue: queueOf(timeline), timeline, afterTrack: 'queue' },
          { positionSeconds: positionAt(timeline, serverMs), durationSeconds: trackSeconds },
        ),
    });
    server.join(listener);
    return listener;
  });
  const [host] = listeners;
  if (host === undefined) throw new Error('no host');
  time.at(3000, () => server.command({ type: 'track', trackKey: 'a' }));
  const heard = new Map<SimListener, string>();
  const look = (): void => {
    const { timeline } = server;
    const last = changes.at(-1);
    if (timeline.trackKey !== null && timeline.trackKey !== last?.trackKey) {
      changes.push({ trackKey: timeline.trackKey, startMs: timeline.atServerMs });
    } else if (last !== undefined && timeline.isPlaying && timeline.positionSeconds === 0) {
      last.startMs = timeline.atServerMs;
    }
    for (const listener of listeners) {
      const { trackKey, isSounding } = listener.player;
      if (!isSounding || trackKey === null || heard.get(listener) === trackKey) continue;
      if (heard.has(listener)) silencesMs.push(server.nowMs - timeline.atServerMs);
      heard.set(listener, trackKey);
    }
    time.after(lookMs, look);
  };
  time.at(3001, look);
  act({ server, time, host, random });
  time.runUntil(100_000);
  return { changes, silencesMs, server };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

describe('tracks that follow one another', () => {
  const nothing = (): void => undefined;
  /** The host's phone is put away in the middle of the first track. */
  const lockedScreen = ({ time, host }: { time: SimTime; host: SimListener }): void => {
    time.at(15_000, () => host.sleep(1_000_000));
  };

  test.each([
    ['', nothing],
    [' while the host’s device sleeps', lockedScreen],
  ])('each begins when the one before it ends, with a silence of p95 <= 60 ms%s (GAP-1)', (_when, act) => {
    const all = seeds.map((seed) => room(seed, act));
    for (const { changes } of all) {
      expect(changes.map(({ trackKey }) => trackKey)).toEqual(['a', 'a+', 'a++', 'a+++']);
      for (const [index, { startMs }] of changes.entries()) {
        if (index > 0) expect(startMs - (changes[index - 1]?.startMs ?? 0)).toBeCloseTo(trackSeconds * 1000, 0);
      }
    }
    expect(
      quantile(
        all.flatMap(({ silencesMs }) => silencesMs),
        0.95,
      ),
    ).toBeLessThanOrEqual(60);
  });

  const commands: readonly SimCommand['type'][] = ['pause', 'play', 'seek', 'reorder'];
  test.each(commands)('a %s around the end of a track never causes two track changes (GAP-4)', (type) => {
    for (const seed of seeds) {
      const { changes } = room(seed, ({ server, time, random }) => {
        // The second track ends at about 63 s.
        time.at(random.between(58_000, 64_500), () => {
          server.command(type === 'seek' ? { type, positionSeconds: 0 } : ({ type } as SimCommand));
          time.after(random.between(100, 2500), () => server.command({ type: 'play' }));
        });
      });
      for (const [index, { startMs }] of changes.entries()) {
        const before = changes[index - 1];
        if (before !== undefined) expect(startMs - before.startMs, `seed ${seed}`).toBeGreaterThanOrEqual(shortestMs);
      }
      expect(changes.length, `seed ${seed}`).toBeGreaterThanOrEqual(3);
    }
  });
});

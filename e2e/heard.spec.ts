/**
 * What is heard: two real browsers in one room, with their sound on and without a sound card, recorded on one clock and
 * compared by samples. The short form of `npm run bench -- heard`, run by `npm test -- --only=heard`. Not run where there is no sound system or browser.
 */
import { expect, test } from '@playwright/test';
import { startTrack } from '@tunemate/testkit/heard/page';
import { hearPhase, type HeardRoom, openHeardRoom } from '@tunemate/testkit/heard/room';
import { type Recorder, startLoopbackSound } from '@tunemate/testkit/browsers/loopback-sound';
import { percentile } from '@tunemate/testkit/percentile';
import { orNotRun } from './not-run.ts';

/** How far apart two may be heard, p95 in milliseconds: wide, and far below what an unknown latency of a browser is. */
const heardBoundMs = { chromium: 25, firefox: 40 } as const;
const phaseSeconds = 5;
/**
 * A browser that a busy machine holds up is heard late at that moment: what counts is that they come together. Both
 * phases are shorter than the track.
 */
const patience = { timeout: 45_000, intervals: [0] };

// One pair after the other: four browsers with sound are more than two processors play without gaps.
test.describe.configure({ mode: 'default' });

for (const guest of ['chromium', 'firefox'] as const) {
  test(`a host in Chromium and a guest in ${guest} are heard as one after a start and a late join`, async () => {
    const sound = await orNotRun(() => startLoopbackSound());
    const room = sound && (await orNotRun(() => openHeardRoom(sound, guest)));
    const recorder = room && (await sound.record());
    try {
      if (!recorder) return;
      await startTrack(room.host, 'Paper Lanterns');
      await heardAsOne(recorder, room, 'start', heardBoundMs[guest]);
      await room.guest.reload();
      await heardAsOne(recorder, room, 'late join', heardBoundMs[guest]);
    } finally {
      await recorder?.stop();
      await room?.close();
      await sound?.stop();
    }
  });
}

/** Listens until a stretch of some seconds is inside the bound, as far as it could be compared at all. */
async function heardAsOne(recorder: Recorder, room: HeardRoom, phase: string, boundMs: number): Promise<void> {
  await expect(async () => {
    const { stretches } = await hearPhase(recorder, room, phase, phaseSeconds);
    const heard = stretches.flatMap(({ heardMs }) => heardMs ?? []);
    console.log(`${phase}: ${heard.map((ms) => ms.toFixed(0)).join(' ')} ms, of ${String(stretches.length)} stretches`);
    expect(heard.length).toBeGreaterThanOrEqual((stretches.length * 3) / 4);
    expect(percentile(heard.map(Math.abs), 0.95)).toBeLessThanOrEqual(boundMs);
  }).toPass(patience);
}

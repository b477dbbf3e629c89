/** The timers of this page that keep their time in the background too. */
import type { Schedule } from '@tunemate/playback';
import { deviceClock } from '../../store/clock.ts';
import { createSteadySchedule, startTimerWorker } from './steady-schedule.ts';

export const pageTimers: Schedule = createSteadySchedule({
  page: document,
  nowMs: () => performance.now(),
  schedule: (task, delayMs) => deviceClock.schedule(task, delayMs),
  startOutside: startTimerWorker,
});

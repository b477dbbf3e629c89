/** What people do in a room that is listened to, one phase after the other in one recording. */
import type { LoopbackSound } from '@tunemate/testkit/loopback-sound';
import { type HeardPhase, judge, type PhaseMark } from '@tunemate/testkit/heard/judge';
import {
  type BrowserName,
  clickButton,
  excursions,
  seekForward,
  startTrack,
  untilPaused,
} from '@tunemate/testkit/heard/page';
import { markPhase, openHeardRoom } from '@tunemate/testkit/heard/room';

export interface HeardPlan {
  readonly guest: BrowserName;
  readonly format: string;
  /** What the host types and starts. */
  readonly track: string;
  readonly steadySeconds: number;
}

const phaseSeconds = 6;
const rateExcursions = 10;

/** Puts a room through all phases and judges the recording. */
export async function listen(sound: LoopbackSound, plan: HeardPlan): Promise<HeardPhase[]> {
  const room = await openHeardRoom(sound, plan.guest);
  const recorder = await sound.record();
  const marks: PhaseMark[] = [];
  const phase = async (name: string, seconds = phaseSeconds) => void marks.push(await markPhase(room, name, seconds));
  try {
    await startTrack(room.host, plan.track);
    await phase('start together');
    await room.guest.reload();
    await phase('late join');
    await seekForward(room.host);
    await phase('seek');
    await clickButton(room.host, 'Pause');
    await untilPaused(room.guest);
    await clickButton(room.host, 'Play');
    await phase('pause and resume');
    await excursions(room.guest, rateExcursions);
    await phase('after ten changes of rate');
    await phase('steady', plan.steadySeconds);
  } finally {
    await recorder.stop();
    await room.close();
  }
  const recording = recorder.soFar();
  return marks.map((mark) => judge(mark, recording));
}

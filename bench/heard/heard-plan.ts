/** What people do in a room that is listened to, one phase after the other in one recording. */
import type { LoopbackSound } from '@tunemate/testkit/browsers/loopback-sound';
import { type HeardPhase, judge, type PhaseMark } from '@tunemate/testkit/heard/judge';
import {
  type BrowserName,
  clickButton,
  excursions,
  queueTracks,
  seekForward,
  startTrack,
  untilPaused,
} from '@tunemate/testkit/heard/page';
import { markPhase, openHeardRoom } from '@tunemate/testkit/heard/room';
import { makeSteadyTracks, steadyTitles, steadyWord } from './steady-tracks.ts';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';

export interface HeardPlan {
  readonly guest: BrowserName;
  readonly format: string;
  /** What the host types and starts. */
  readonly track: string;
  readonly steadySeconds: number;
}

const phaseSeconds = 6;
const rateExcursions = 10;

const shortTrackSeconds = 12;
const changesOfTrack = 3;

/** Plays short tracks one after the other; what is silent there is the pause between two tracks. */
export async function listenBetweenTracks(sound: LoopbackSound, guest: BrowserName): Promise<HeardPhase> {
  await using media = await makeTempDir('steady-tracks');
  makeSteadyTracks(media.path, shortTrackSeconds);
  const room = await openHeardRoom(sound, guest, { MEDIA_DIR: media.path });
  const recorder = await sound.record();
  const [first = '', ...others] = steadyTitles;
  try {
    await startTrack(room.host, first);
    await queueTracks(room.host, steadyWord, others);
    const mark = await markPhase(room, 'from track to track', changesOfTrack * shortTrackSeconds);
    await recorder.stop();
    return judge(mark, recorder.soFar());
  } finally {
    await room.close();
  }
}

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

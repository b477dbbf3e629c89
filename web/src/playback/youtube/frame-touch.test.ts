import { expect, test } from 'vitest';
import {
  commanded,
  looked,
  stateReported,
  untouched,
  type FrameLook,
  type Touch,
  type TouchState,
} from './frame-touch.ts';

const unstarted = -1;
const ended = 0;
const playing = 1;
const paused = 2;
const buffering = 3;
const cued = 5;

/** A frame whose clock, state and position the test sets, read twice a second. */
function frame() {
  let state: TouchState = untouched;
  const touches: Touch[] = [];
  const now: { -readonly [Key in keyof FrameLook]: FrameLook[Key] } = {
    nowMs: 0,
    state: unstarted,
    positionSeconds: 0,
    rate: 1,
    durationSeconds: 200,
  };
  const take = (next: { state: TouchState; touch: Touch | null }) => {
    state = next.state;
    if (next.touch !== null) touches.push(next.touch);
  };
  const report = (reported: number) => {
    now.state = reported;
    take(stateReported(state, reported, now.nowMs));
  };
  const pass = (seconds: number) => {
    for (let half = 0; half < seconds * 2; half += 1) {
      now.nowMs += 500;
      if (now.state === playing) now.positionSeconds += 0.5;
      take(looked(state, { ...now }));
    }
  };
  const command = (name: Parameters<typeof commanded>[1]) => {
    state = commanded(state, name, now.state, now.nowMs);
  };
  const jump = (positionSeconds: number) => {
    now.positionSeconds = positionSeconds;
  };
  return { touches, now, report, pass, command, jump, isSuspected: () => state.stoodAtMs !== null };
}

function playingFrame() {
  const one = frame();
  one.command('load');
  one.report(cued);
  one.pass(1);
  one.command('play');
  one.report(buffering);
  one.report(playing);
  one.pass(5);
  expect(one.touches).toEqual([]);
  return one;
}

function pausedFrame() {
  const one = playingFrame();
  one.command('pause');
  one.report(paused);
  one.pass(5);
  expect(one.touches).toEqual([]);
  return one;
}

test('a pause without a command is a person’s after half a second', () => {
  const { report, pass, touches, isSuspected } = playingFrame();
  report(paused);
  expect(isSuspected()).toBe(true);
  expect(touches).toEqual([]);
  pass(0.5);
  expect(touches).toEqual([{ type: 'paused' }]);
  expect(isSuspected()).toBe(false);
  pass(5);
  expect(touches).toHaveLength(1);
});

test('a correction right after it does not hide a person’s pause', () => {
  const { report, command, pass, touches } = playingFrame();
  report(paused);
  command('seek');
  pass(1);
  expect(touches).toEqual([{ type: 'paused' }]);
});

test('a commanded pause, waiting for data, an advert and the end are not a person’s pause', () => {
  const own = playingFrame();
  own.command('pause');
  own.report(paused);
  own.pass(3);
  const waiting = playingFrame();
  waiting.report(buffering);
  waiting.pass(20);
  waiting.report(playing);
  waiting.pass(3);
  const advert = playingFrame();
  advert.report(unstarted);
  advert.now.durationSeconds = 15;
  advert.jump(0);
  advert.report(playing);
  advert.pass(15);
  advert.now.durationSeconds = 200;
  advert.jump(5);
  advert.report(playing);
  advert.pass(5);
  const over = playingFrame();
  over.report(paused);
  over.report(ended);
  over.pass(3);
  for (const { touches } of [own, waiting, advert, over]) expect(touches).toEqual([]);
});

test('a start that the browser refuses is not a person’s pause', () => {
  const { command, report, pass, touches } = frame();
  command('load');
  report(cued);
  command('play');
  report(buffering);
  report(paused);
  pass(5);
  expect(touches).toEqual([]);
});

test('a start without a command is a person’s', () => {
  const { report, pass, touches } = pausedFrame();
  report(buffering);
  report(playing);
  pass(3);
  expect(touches).toEqual([{ type: 'started' }]);
});

test('the start after a pause in the frame is a person’s, and is reported once', () => {
  const { report, pass, touches } = playingFrame();
  report(paused);
  pass(2);
  report(playing);
  pass(3);
  expect(touches).toEqual([{ type: 'paused' }, { type: 'started' }]);
});

test('a commanded start whose message arrives after a commanded pause is not a person’s', () => {
  const { command, report, pass, touches } = pausedFrame();
  command('play');
  command('pause');
  report(buffering);
  report(playing);
  report(paused);
  pass(5);
  expect(touches).toEqual([]);
});

test('playing after a commanded seek is not a person’s start', () => {
  const { command, report, pass, touches } = pausedFrame();
  command('seek');
  report(buffering);
  report(playing);
  pass(1);
  expect(touches).toEqual([]);
});

test.each([
  ['forwards', 90],
  ['backwards', 1],
])('a move %s in a frame that plays is one, whether or not it pauses on the way', (_way, target) => {
  const { report, pass, jump, touches } = playingFrame();
  report(paused);
  jump(target);
  report(buffering);
  report(playing);
  pass(3);
  expect(touches).toHaveLength(1);
  expect(touches[0]?.type).toBe('sought');
  const { positionSeconds } = touches[0] as Extract<Touch, { type: 'sought' }>;
  expect(Math.abs(positionSeconds - target)).toBeLessThan(1);
});

test('a jump in a paused frame is a person’s seek', () => {
  const { pass, jump, touches } = pausedFrame();
  jump(40);
  pass(1);
  expect(touches).toEqual([{ type: 'sought', positionSeconds: 40 }]);
});

test('a commanded seek, a late reading and standing still are not a person’s seek', () => {
  const own = playingFrame();
  own.command('seek');
  own.jump(120);
  own.pass(1);
  own.report(buffering);
  own.report(playing);
  own.pass(3);
  const late = playingFrame();
  const { positionSeconds } = late.now;
  for (let half = 0; half < 6; half += 1) {
    late.pass(0.5);
    late.jump(positionSeconds);
  }
  late.jump(positionSeconds + 3);
  late.pass(2);
  const still = playingFrame();
  still.report(buffering);
  still.pass(10);
  still.report(playing);
  still.pass(3);
  for (const { touches } of [own, late, still]) expect(touches).toEqual([]);
});

test('a frame without a length, as of a live stream, reports no seeks', () => {
  const live = playingFrame();
  live.now.durationSeconds = null;
  live.pass(1);
  live.jump(4000);
  live.pass(2);
  expect(live.touches).toEqual([]);
});

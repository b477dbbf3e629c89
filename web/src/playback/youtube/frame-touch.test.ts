import { expect, test } from 'vitest';
import { commanded, looked, stateTold, untouched, type FrameLook, type Touch, type TouchState } from './frame-touch.ts';

const unstarted = -1;
const ended = 0;
const playing = 1;
const paused = 2;
const buffering = 3;
const cued = 5;

/** A frame whose clock, state and position the test moves, looked at twice a second. */
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
  const tell = (told: number) => {
    now.state = told;
    take(stateTold(state, told, now.nowMs));
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
  return { touches, now, tell, pass, command, jump, isSuspected: () => state.stoodAtMs !== null };
}

function playingFrame() {
  const one = frame();
  one.command('load');
  one.tell(cued);
  one.pass(1);
  one.command('play');
  one.tell(buffering);
  one.tell(playing);
  one.pass(5);
  expect(one.touches).toEqual([]);
  return one;
}

function pausedFrame() {
  const one = playingFrame();
  one.command('pause');
  one.tell(paused);
  one.pass(5);
  expect(one.touches).toEqual([]);
  return one;
}

test('a pause that nobody here asked for is one after half a second', () => {
  const { tell, pass, touches, isSuspected } = playingFrame();
  tell(paused);
  expect(isSuspected()).toBe(true);
  expect(touches).toEqual([]);
  pass(0.5);
  expect(touches).toEqual([{ type: 'paused' }]);
  expect(isSuspected()).toBe(false);
  pass(5);
  expect(touches).toHaveLength(1);
});

test('a correction of ours right after it does not hide a person’s pause', () => {
  const { tell, command, pass, touches } = playingFrame();
  tell(paused);
  command('seek');
  pass(1);
  expect(touches).toEqual([{ type: 'paused' }]);
});

test('our own pause, waiting for data, an advert and the end are none', () => {
  const own = playingFrame();
  own.command('pause');
  own.tell(paused);
  own.pass(3);
  const waiting = playingFrame();
  waiting.tell(buffering);
  waiting.pass(20);
  waiting.tell(playing);
  waiting.pass(3);
  const advert = playingFrame();
  advert.tell(unstarted);
  advert.now.durationSeconds = 15;
  advert.jump(0);
  advert.tell(playing);
  advert.pass(15);
  advert.now.durationSeconds = 200;
  advert.jump(5);
  advert.tell(playing);
  advert.pass(5);
  const over = playingFrame();
  over.tell(paused);
  over.tell(ended);
  over.pass(3);
  for (const { touches } of [own, waiting, advert, over]) expect(touches).toEqual([]);
});

test('a start that the browser refuses is no pause of a person', () => {
  const { command, tell, pass, touches } = frame();
  command('load');
  tell(cued);
  command('play');
  tell(buffering);
  tell(paused);
  pass(5);
  expect(touches).toEqual([]);
});

test('a start that nobody here asked for is one', () => {
  const { tell, pass, touches } = pausedFrame();
  tell(buffering);
  tell(playing);
  pass(3);
  expect(touches).toEqual([{ type: 'started' }]);
});

test('the start after a pause in the frame is one, and is told once', () => {
  const { tell, pass, touches } = playingFrame();
  tell(paused);
  pass(2);
  tell(playing);
  pass(3);
  expect(touches).toEqual([{ type: 'paused' }, { type: 'started' }]);
});

test('a start of ours whose message comes after a pause of ours is none', () => {
  const { command, tell, pass, touches } = pausedFrame();
  command('play');
  command('pause');
  tell(buffering);
  tell(playing);
  tell(paused);
  pass(5);
  expect(touches).toEqual([]);
});

test('what plays by itself after a seek of ours was not started by a person', () => {
  const { command, tell, pass, touches } = pausedFrame();
  command('seek');
  tell(buffering);
  tell(playing);
  pass(1);
  expect(touches).toEqual([]);
});

test.each([
  ['forwards', 90],
  ['backwards', 1],
])('a move %s in a frame that plays is one, whether or not it pauses on the way', (_way, target) => {
  const { tell, pass, jump, touches } = playingFrame();
  tell(paused);
  jump(target);
  tell(buffering);
  tell(playing);
  pass(3);
  expect(touches).toHaveLength(1);
  expect(touches[0]?.type).toBe('sought');
  const { positionSeconds } = touches[0] as Extract<Touch, { type: 'sought' }>;
  expect(Math.abs(positionSeconds - target)).toBeLessThan(1);
});

test('a move in a paused frame is one', () => {
  const { pass, jump, touches } = pausedFrame();
  jump(40);
  pass(1);
  expect(touches).toEqual([{ type: 'sought', positionSeconds: 40 }]);
});

test('our own seek, a late reading and standing still are no move', () => {
  const own = playingFrame();
  own.command('seek');
  own.jump(120);
  own.pass(1);
  own.tell(buffering);
  own.tell(playing);
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
  still.tell(buffering);
  still.pass(10);
  still.tell(playing);
  still.pass(3);
  for (const { touches } of [own, late, still]) expect(touches).toEqual([]);
});

test('a frame that has no length, as of a live stream, has no moves', () => {
  const live = playingFrame();
  live.now.durationSeconds = null;
  live.pass(1);
  live.jump(4000);
  live.pass(2);
  expect(live.touches).toEqual([]);
});

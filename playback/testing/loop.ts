/** For tests of the follow loop: a player controlled by the test, and virtual time. */
import { ClockOffset } from '../src/clock/server-clock.ts';
import { playingSnapshot } from './follow-example.ts';
import { type FollowLoopPorts, startFollowLoop } from '../src/follow/follow-loop.ts';
import type { FollowStatus } from '../src/follow/follower-state.ts';
import type { LeaderIntent } from '../src/room/leader.ts';
import { mediaElementCapabilities, type Player, type PlayerEvent, type PlayerSnapshot } from '../src/follow/player.ts';
import { SimTime } from './time.ts';
import type { Timeline } from '../src/room/timeline.ts';

/** Server time at local time 0. */
export const epochMs = 1_800_000_000_000;
/** A track that was at its beginning then. */
export const playing: Timeline = {
  revision: 1,
  trackKey: 'a',
  isPlaying: true,
  positionSeconds: 0,
  atServerMs: epochMs,
};

/** A loop whose player does only what the test says. */
export function hand(ports: Partial<FollowLoopPorts> = {}) {
  const time = new SimTime();
  const clock = new ClockOffset();
  for (let probe = 0; probe < 12; probe += 1) {
    clock.addSample({ sentAtMs: 0, receivedAtMs: 0, serverReceivedMs: epochMs });
  }
  const listeners = new Set<(event: PlayerEvent) => void>();
  const commands: string[] = [];
  const waits: number[] = [];
  let snapshot: PlayerSnapshot = { ...playingSnapshot, phase: 'empty' };
  let aheadSeconds: number | null = null;
  let onCommand = (_command: string): void => undefined;
  const command =
    (name: string) =>
    (...values: unknown[]): void => {
      commands.push(
        [name, ...values.map((value) => (typeof value === 'number' ? value.toFixed(2) : String(value)))].join(' '),
      );
      onCommand(name);
    };
  const player: Player = {
    capabilitiesFor: () => mediaElementCapabilities,
    load: command('load'),
    unload: command('unload'),
    play: command('play'),
    pause: command('pause'),
    seek: command('seek'),
    setRate: command('rate'),
    snapshot: () =>
      aheadSeconds === null ? snapshot : { ...snapshot, positionSeconds: time.nowMs / 1000 + aheadSeconds },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispose: () => undefined,
  };
  const statuses: FollowStatus[] = [];
  const intents: LeaderIntent[] = [];
  const loop = startFollowLoop({
    player,
    clock,
    nowMs: () => time.nowMs,
    schedule: (task, delayMs) => {
      waits.push(delayMs);
      return time.after(delayMs, task);
    },
    seekToleranceSeconds: 1.5,
    onStatus: (status) => statuses.push(status),
    onIntent: (intent) => intents.push(intent),
    ...ports,
  });
  const be = (change: Partial<PlayerSnapshot>): void => {
    snapshot = { ...snapshot, ...change };
    if (change.positionSeconds !== undefined) aheadSeconds = null;
  };
  /** From now on it plays, this much ahead of the music. */
  const play = (seconds = 0): void => {
    be({ phase: 'playing' });
    aheadSeconds = seconds;
  };
  const emit = (event: PlayerEvent): void => [...listeners].forEach((listener) => listener(event));
  const when = (react: (command: string) => void): void => void (onCommand = react);
  const taken = (): string[] => commands.splice(0);
  return { time, loop, be, play, emit, when, taken, statuses, intents, waits, listeners };
}

/** A room in which the track plays in sync, at local time 2.99 s. */
export function inStep(ports?: Partial<FollowLoopPorts>) {
  const room = hand(ports);
  room.loop.setTimeline(playing);
  // Far enough ahead to be started without a seek.
  room.be({ phase: 'paused', positionSeconds: 0.065 });
  room.emit({ type: 'changed' });
  room.play();
  room.time.runUntil(2990);
  room.taken();
  return room;
}

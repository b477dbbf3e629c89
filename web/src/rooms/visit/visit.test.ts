/** A visit to a room as its host, with fake timers, connection and player. */
import { roomKinds } from '@tunemate/protocol';
import { aTabId, manualTimer } from '../../../testing/connection-fixtures.ts';
import { settle } from '../../../testing/fake-clock.ts';
import { createFakeConnection } from '../../../testing/fake-connection.ts';
import { describe, expect, test, vi } from 'vitest';
import { createDeviceSound } from '../../playback/device-sound.ts';
import { createFakePlayer } from '../../../testing/fake-player.ts';
import { playbackDocument, track } from '../../../testing/playback-fixtures.ts';
import { createPlayerMemory } from '../../playback/players/page-player.ts';
import { SourcePlayer } from '../../playback/players/source-player.ts';
import { cell } from '../../store/cell.ts';
import { afterFirstSound, expectFirstSound } from '../../store/first-sound.ts';
import { memoryStorage } from '../../../testing/memory-storage.ts';
import { retryLostParts } from '../../store/lost-parts.ts';
import { testRoomCode, hostUid, joinRequest, roomSnapshot } from '../../../testing/room-fixtures.ts';
import { openVisit } from './visit.ts';

const storage = { getItem: () => null, setItem: () => undefined };

describe.each(roomKinds)('a visit to a room of kind %s', (kind) => {
  /** `entered` runs before the track is heard. */
  async function hosting(entered: () => unknown = () => undefined, people = 2) {
    const connection = createFakeConnection();
    const timer = manualTimer();
    const device = memoryStorage();
    const player = createFakePlayer();
    const turn = {
      isElsewhere: cell(false),
      claims: 0,
      claim: () => void (turn.claims += 1),
      release: () => undefined,
    };
    const visit = openVisit(
      { connection, kind, code: testRoomCode, selfUid: hostUid },
      {
        schedule: timer.schedule,
        storage: device,
        nowMs: timer.nowMs,
        createStage: () => ({
          element: {} as HTMLElement,
          player: new SourcePlayer({ library: () => player, youtube: () => player }),
          picture: cell({ source: null, isMoving: false, needsTouch: false, lacks: null }),
        }),
        playerMemory: createPlayerMemory(storage),
        deviceSound: createDeviceSound(storage, turn),
      },
    );
    for (let probe = 0; probe < 6; probe += 1) {
      const serverMs = timer.nowMs();
      await connection.last('clock/probe').answer({ serverReceivedMs: serverMs, serverSentMs: serverMs });
      timer.pass(100);
    }
    const facts = { controller: aTabId, tracks: [track('a', 120)], durationSeconds: 120 };
    const playback = playbackDocument(kind, { ...facts, revision: 5, isPlaying: true, updatedAt: timer.nowMs() });
    const snapshot = roomSnapshot(kind, { playback, requests: [joinRequest('Theo', 1)] });
    await connection.last('rooms/enter').answer({ ...snapshot, room: { ...snapshot.room, people } });
    timer.pass(300);
    await entered();
    player.become({ phase: 'playing', positionSeconds: 0.3 });
    const answer = async (how: 'accept' | 'reject'): Promise<void> => {
      const answered = visit.requests.answer(joinRequest('Theo', 1).uid, how);
      await connection.last(how === 'accept' ? 'rooms/acceptRequest' : 'rooms/rejectRequest').answer({});
      await answered;
      await settle();
    };
    const written = () =>
      connection.asked.filter(({ name }) => name === 'playback/write').map(({ payload }) => payload['intent']);
    return { connection, visit, timer, player, device, turn, answer, written };
  }

  test('code that can wait is fetched once the track is heard', async () => {
    let isOver = false;
    const before: boolean[] = [];
    expectFirstSound();
    void afterFirstSound().then(() => (isOver = true));
    await hosting(async () => {
      await settle();
      before.push(isOver);
    });
    await settle();
    expect(before).toEqual([false]);
    expect(isOver).toBe(true);
  });

  test('the position is published again 2 s after a request was accepted, and playback has no gap', async () => {
    const { visit, timer, player, answer, written } = await hosting();
    await answer('accept');
    const before = [...player.commands];
    const keepUp = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += 100) {
        player.become({ positionSeconds: player.snapshot().positionSeconds + 0.1 });
        timer.pass(100);
      }
    };
    keepUp(1900);
    expect(written()).toEqual([]);
    keepUp(100);
    expect(written()).toEqual([{ type: 'republish', revision: 5 }]);
    keepUp(2000);
    expect(written()).toHaveLength(1);
    expect(player.commands).toEqual(before);
    visit.close();
  });

  test('an unsent message stays on the device when the page closes, and is deleted by leaving the room', async () => {
    const { connection, visit, device } = await hosting();
    visit.parts.get()?.chat.send('hello');
    visit.close();
    await settle();
    expect(device).toHaveLength(1);
    const leaving = await hosting();
    leaving.visit.parts.get()?.chat.send('hello');
    expect(leaving.device).toHaveLength(1);
    const left = leaving.visit.room.leave(true);
    await leaving.connection.last('rooms/leave').answer({});
    await left;
    expect(leaving.device).toHaveLength(0);
    expect(connection.count('rooms/leave')).toBe(0);
  });

  test('a room that is over takes the sound from no other tab', async () => {
    const { connection, visit, turn } = await hosting();
    const before = turn.claims;
    connection.pushToRoom({ type: 'rooms/ended' });
    visit.parts.get()?.playback.use();
    visit.parts.get()?.playback.tapToListen();
    expect(turn.claims).toBe(before);
  });

  test('nothing is published after a rejection, or when the host has left by then', async () => {
    const rejecting = await hosting();
    await rejecting.answer('reject');
    rejecting.timer.pass(3000);
    expect(rejecting.written()).toEqual([]);
    const leaving = await hosting();
    await leaving.answer('accept');
    leaving.visit.close();
    leaving.timer.pass(3000);
    expect(leaving.written()).toEqual([]);
  });

  test('the code of a large room that can’t be fetched at first is fetched once parts return', async () => {
    vi.doMock('../sidebar/roster.ts', () => {
      throw new Error('offline');
    });
    const { visit } = await hosting(undefined, 300);
    await settle();
    expect(visit.roster.get()).toBeNull();
    vi.doUnmock('../sidebar/roster.ts');
    retryLostParts();
    await expect.poll(() => visit.roster.get()).not.toBeNull();
  });
});

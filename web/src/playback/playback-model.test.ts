import { aTabId, countingClientIds, manualTimer } from '../../testing/connection-fixtures.ts';
import { settle } from '../../testing/fake-clock.ts';
import { createFakeConnection } from '../../testing/fake-connection.ts';
import { askForControlMs } from '@tunemate/playback';
import { enqueueBatches, type Track, type VideoId, roomKinds } from '@tunemate/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { testRoomCode } from '../../testing/room-fixtures.ts';
import { startClockSync } from './clock-sync.ts';
import { createDeviceSound } from './device-sound.ts';
import { createFakePlayer } from '../../testing/fake-player.ts';
import { createPlayerMemory } from './players/page-player.ts';
import { createPlaybackModel, loadLeader, type PlaybackModel } from './playback-model.ts';
import { isShownPlaying, type PlaybackNotice } from './playback-view.ts';
import { otherTab, playbackDocument, track, type Facts } from '../../testing/playback-fixtures.ts';

beforeAll(loadLeader);

const serverAheadMs = 1_000_000;
const storage = { getItem: () => null, setItem: () => undefined };

describe.each(roomKinds)('playback in a room of kind %s', (kind) => {
  async function tab(
    facts: Facts,
    options: { isHost?: boolean; goneTab?: string; player?: ReturnType<typeof createFakePlayer> } = {},
  ) {
    const { isHost = true, player = createFakePlayer() } = options;
    const connection = createFakeConnection();
    const timer = manualTimer();
    const deviceSound = createDeviceSound(storage);
    const clockSync = startClockSync({ connection, nowMs: timer.nowMs, schedule: timer.schedule });
    for (let probe = 0; probe < 6; probe += 1) {
      const serverMs = timer.nowMs() + serverAheadMs;
      await connection.last('clock/probe').answer({ serverReceivedMs: serverMs, serverSentMs: serverMs });
      timer.pass(100);
    }
    const model = createPlaybackModel(
      {
        connection,
        kind,
        code: testRoomCode,
        ...{ part: isHost ? ('host' as const) : ('guest' as const), isShared: false, selfUid: 'self' },
        player,
        clockSync,
        deviceSound,
        playerMemory: createPlayerMemory(storage),
        nowMs: timer.nowMs,
        schedule: timer.schedule,
        newClientId: countingClientIds(),
        seekToleranceSeconds: 2,
      },
      playbackDocument(kind, facts),
    );
    await settle();
    const notices: PlaybackNotice[] = [];
    model.notices.subscribe((notice) => notices.push(notice));
    const serverNow = () => timer.nowMs() + serverAheadMs;
    const written = () =>
      connection.asked.filter(({ name }) => name === 'playback/write').map(({ payload }) => payload['intent']);
    return { connection, timer, clockSync, deviceSound, model, player, notices, serverNow, written };
  }
  const mine = { controller: aTabId, durationSeconds: 120, tracks: [track('a', 120), track('b', 60)] };
  const shownPlaying = (model: PlaybackModel) => isShownPlaying(model.view.get());

  test('shows the placeholder title before the first track', async () => {
    const { model } = await tab({});
    expect(model.view.get().playing.title).toBe('No music selected');
    expect(model.view.get().playing.track).toBeNull();
  });

  test('loads the room’s track, and follows its position', async () => {
    const { model, player, timer, serverNow } = await tab(mine, { isHost: false });
    expect(player.commands).toContain(`load ${track('a').videoId}`);
    model.receive(
      playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, currentTime: 10, updatedAt: serverNow() }),
    );
    timer.pass(5000);
    expect(model.positionSeconds()).toBeCloseTo(15, 1);
    expect(player.commands).toContain('play');
  });

  test('a pause by a guest’s device is not undone by the page', async () => {
    const { model, player, timer } = await tab({ ...mine, isPlaying: true }, { isHost: false });
    timer.pass(2000);
    const before = player.commands.length;
    player.hold();
    timer.pass(5000);
    expect(model.follow.get().status).toBe('held');
    expect(player.commands).toHaveLength(before);
  });

  test('a pause by the host’s device pauses the room', async () => {
    const { model, player, timer, written } = await tab({ ...mine, isPlaying: true });
    timer.pass(2000);
    player.hold();
    expect(written().at(-1)).toEqual({ type: 'pause' });
    expect(shownPlaying(model)).toBe(false);
  });

  test('ignores documents of an earlier revision', async () => {
    const { model } = await tab({ ...mine, revision: 7 });
    model.receive(playbackDocument(kind, { revision: 6 }));
    expect(model.view.get().playing.timeline.revision).toBe(7);
  });

  test('the host takes control when no tab has it; a guest does not', async () => {
    const host = await tab({ ...mine, controller: null });
    const polite = { kind, code: testRoomCode, tabId: aTabId, onlyIfFree: true };
    expect(host.connection.last('playback/takeControl').payload).toEqual(polite);
    const guest = await tab({ ...mine, controller: null }, { isHost: false });
    expect(guest.connection.count('playback/takeControl')).toBe(0);
    expect(guest.model.view.get().control).toBe('guest');
  });

  test('leaves control with the host’s other tab until the host takes over', async () => {
    const { connection, model } = await tab({ ...mine, controller: otherTab });
    expect(model.view.get().control).toBe('elsewhere');
    expect(connection.last('playback/takeControl').payload).toMatchObject({ onlyIfFree: true });
    void model.takeControl();
    expect(connection.last('playback/takeControl').payload).toEqual({ kind, code: testRoomCode, tabId: aTabId });
  });

  test('requests control regularly in case the other tab is gone, until it has control or leaves the room', async () => {
    const { connection, model, timer } = await tab({ ...mine, controller: otherTab });
    timer.pass(askForControlMs * 2);
    expect(connection.count('playback/takeControl')).toBe(3);
    model.receive(playbackDocument(kind, { ...mine, revision: 2 }));
    timer.pass(askForControlMs * 2);
    expect(connection.count('playback/takeControl')).toBe(3);
    model.receive(playbackDocument(kind, { ...mine, revision: 3, controller: otherTab }));
    model.close();
    timer.pass(askForControlMs * 2);
    expect(connection.count('playback/takeControl')).toBe(4);
  });

  test('shows an intent at once, and drops it with the room’s next change', async () => {
    const { model, connection } = await tab(mine);
    model.host.setPlaying(true);
    expect(shownPlaying(model)).toBe(true);
    expect(connection.last('playback/write').payload).toMatchObject({
      kind,
      code: testRoomCode,
      tabId: aTabId,
      intent: { type: 'play' },
    });
    model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true }));
    expect(model.view.get().optimisticPlaying).toBeNull();
    expect(shownPlaying(model)).toBe(true);
  });

  test('undoes a refused command, and shows why', async () => {
    const { model, connection, notices } = await tab(mine);
    model.host.setPlaying(true);
    await connection.last('playback/write').refuse('playback/lease-lost');
    expect(shownPlaying(model)).toBe(false);
    expect(notices).toEqual([{ type: 'refused', refusal: { code: 'playback/lease-lost' } }]);
  });

  test('sends a single seek at once, and of several within 300 ms only the last', async () => {
    const { model, timer, written } = await tab(mine);
    model.host.seek(10);
    model.host.seek(20);
    model.host.seek(30);
    expect(model.positionSeconds()).toBe(30);
    timer.pass(300);
    expect(written()).toEqual([
      { type: 'seek', videoId: track('a').videoId, currentTime: 10 },
      { type: 'seek', videoId: track('a').videoId, currentTime: 30 },
    ]);
  });

  test('keeps showing the intent while a seek waits, whatever the answer to the previous one', async () => {
    const { model, timer } = await tab(mine);
    model.host.seek(10);
    model.host.seek(15);
    model.receive(playbackDocument(kind, { ...mine, revision: 2, currentTime: 10 }));
    expect(model.positionSeconds()).toBe(15);
    timer.pass(300);
    model.receive(playbackDocument(kind, { ...mine, revision: 3, currentTime: 15 }));
    expect(model.view.get().optimisticPositionSeconds).toBeNull();
  });

  test("holds the room where the host's player stands still", async () => {
    const { model, player, timer, serverNow, written } = await tab(mine);
    model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() }));
    timer.pass(300);
    player.become({ phase: 'playing', positionSeconds: 0.3 });
    timer.pass(300);
    player.become({ phase: 'buffering', positionSeconds: 0.6 });
    timer.pass(2000);
    expect(written()).toEqual([{ type: 'hold', revision: 2, currentTime: 0.6 }]);
  });

  test('sends the position and time of its player once it resumes after a stall', async () => {
    const { model, player, timer, serverNow, written } = await tab(mine);
    model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() }));
    timer.pass(300);
    player.become({ phase: 'playing', positionSeconds: 0.3 });
    timer.pass(300);
    player.become({ phase: 'buffering', positionSeconds: 0.6 });
    timer.pass(1000);
    player.become({ phase: 'playing', positionSeconds: 0.6 });
    const updatedAt = expect.closeTo(serverNow(), 0) as number;
    expect(written()).toEqual([{ type: 'reanchor', revision: 2, currentTime: 0.6, updatedAt }]);
  });

  test('a host’s resync republishes the position, a guest’s sends nothing', async () => {
    for (const isHost of [true, false]) {
      const { model, player, timer, serverNow, written } = await tab(mine, { isHost });
      model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() }));
      timer.pass(300);
      player.become({ phase: 'playing', positionSeconds: 0.3 });
      const before = [...player.commands];
      model.resync();
      expect(written()).toEqual(isHost ? [{ type: 'republish', revision: 2 }] : []);
      expect(player.commands).toEqual(before);
    }
  });

  test('changing the volume does not move a player, however far off it is', async () => {
    const { model, player, timer, serverNow, deviceSound } = await tab(mine, { isHost: false });
    const startMs = serverNow();
    const still = player.snapshot;
    let offSeconds = 0;
    // Once it plays, its play-head moves by itself.
    player.snapshot = () => ({ ...still(), positionSeconds: (serverNow() - startMs) / 1000 - offSeconds });
    model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, updatedAt: startMs }));
    timer.pass(5000);
    const before = [...player.commands];
    offSeconds = 0.5;
    for (let volume = 0.1; volume < 1; volume += 0.1) {
      deviceSound.setVolume(volume);
      timer.pass(50);
    }
    expect(player.commands).toEqual(before);
  });

  test('sends its median round trip with each clock probe once it has one (SYNC-36)', async () => {
    const { connection, timer, clockSync } = await tab(mine, { isHost: false });
    timer.pass(10_000);
    const reports = connection.asked.filter(({ name }) => name === 'clock/probe').map(({ payload }) => payload);
    expect(reports[0]).toEqual({});
    expect(reports.at(-1)).toEqual({ roundTripMs: clockSync.clock.roundTripMs });
  });

  test('reports a loaded track even if its length became known while loading (SYNC-37)', async () => {
    const player = createFakePlayer({ loadsAtOnce: false });
    const { model, connection, timer, serverNow } = await tab({ ...mine, tracks: [] }, { isHost: false, player });
    const started = { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() + 3000 };
    model.receive(playbackDocument(kind, started));
    timer.pass(2500);
    model.receive(playbackDocument(kind, { ...started, revision: 3 }));
    player.become({ phase: 'paused' });
    timer.pass(100);
    expect(connection.last('playback/ready').payload).toEqual({ kind, code: testRoomCode, revision: 2 });
  });

  test('drops a waiting seek when another track starts', async () => {
    const { model, timer, written } = await tab(mine);
    model.host.seek(120);
    model.host.seek(115);
    model.receive(playbackDocument(kind, { ...mine, revision: 2, tracks: [track('b', 60)] }));
    timer.pass(1000);
    expect(written()).toEqual([{ type: 'seek', videoId: track('a').videoId, currentTime: 120 }]);
  });

  test('sends the other intents of the host as they are', async () => {
    const { model, written } = await tab(mine);
    model.host.next();
    model.host.previous();
    model.host.choose(track('c'));
    const { videoId, title, durationSeconds } = track('c');
    const named = { videoId, title, durationSeconds };
    const next = { type: 'next', videoId: track('a').videoId };
    expect(written()).toEqual([next, { type: 'previous' }, { type: 'choose', track: named }]);
  });

  test('adds a list of tracks with one write', async () => {
    const { connection, model, written, notices } = await tab(mine);
    const answered = model.host.enqueueAll([track('c'), track('d'), track('e')]);
    await connection.last('playback/write').answer({ revision: 2, added: 3 });
    expect(await answered).toBe(3);
    const items = [track('c'), track('d'), track('e')].map(({ videoId, title, durationSeconds }) => {
      return { videoId, title, durationSeconds };
    });
    expect(written()).toEqual([{ type: 'enqueueAll', items }]);
    expect(notices).toEqual([]);
  });

  test('reports a full queue when only a part of a list fits', async () => {
    const { connection, model, notices } = await tab(mine);
    const answered = model.host.enqueueAll([track('c'), track('d'), track('e')]);
    await connection.last('playback/write').answer({ revision: 2, added: 1 });
    expect(await answered).toBe(1);
    expect(notices).toEqual([{ type: 'refused', refusal: { code: 'playback/queue-full' } }]);
  });

  test('a lost connection adds no track of a list, and shows one error', async () => {
    const { connection, model, notices } = await tab(mine);
    const answered = model.host.enqueueAll([track('c'), track('d')]);
    await connection.last('playback/write').refuse('server/unavailable');
    expect(connection.last('playback/write').payload).toHaveProperty('givesUp', true);
    await connection.last('playback/write').refuse('playback/given-up');
    expect([await answered, notices]).toMatchObject([0, [{ refusal: { code: 'playback/given-up' } }]]);
  });

  test('adds a list that is too long for one message in several, at the server’s rate limit', async () => {
    const { connection, timer, model, written } = await tab(mine);
    const long = Array.from({ length: 150 }, (_, each) => ({ ...track(`t${each}`), title: 'x'.repeat(100) }));
    const answered = model.host.enqueueAll(long);
    const batches = enqueueBatches(
      long.map(({ videoId, title, durationSeconds }) => ({ videoId, title, durationSeconds })),
    );
    expect(batches.length).toBeGreaterThan(1);
    await connection.last('playback/write').refuse('limit/too-many', 500);
    timer.pass(500);
    await settle();
    for (const [at, items] of batches.entries()) {
      expect(written().at(-1)).toEqual({ type: 'enqueueAll', items });
      await connection.last('playback/write').answer({ revision: at + 2, added: items.length });
    }
    expect(await answered).toBe(150);
    expect(written()).toHaveLength(batches.length + 1);
  });

  test('applies single changes without the whole document', async () => {
    const { model, player, timer, serverNow } = await tab(mine, { isHost: false });
    const moved = { currentIndex: 0, isPlaying: true, currentTime: 10, updatedAt: serverNow() };
    expect(model.receiveChange({ type: 'playback/moved', revision: 2, ...moved })).toBe(true);
    timer.pass(5000);
    expect(model.positionSeconds()).toBeCloseTo(15, 1);
    expect(player.commands).toContain('play');
    const edit = { type: 'replaced', track: track('c', 90) } as const;
    model.receiveChange({ type: 'playback/queueChanged', revision: 3, ...moved, currentTime: 0, edit });
    const { playing } = model.view.get();
    expect([playing.title, playing.durationSeconds, playing.queue.length]).toEqual(['Track c', 90, 1]);
    expect(player.commands).toContain(`load ${track('c').videoId}`);
  });

  test('ignores older changes, and applies none after a missing one', async () => {
    const { model } = await tab({ ...mine, revision: 7 });
    const moved = { type: 'playback/moved', currentIndex: 0, isPlaying: true, currentTime: 9, updatedAt: 0 } as const;
    expect(model.receiveChange({ ...moved, revision: 7 })).toBe(true);
    expect(model.receiveChange({ ...moved, revision: 9 })).toBe(false);
    expect(model.view.get().playing.timeline).toMatchObject({ revision: 7, isPlaying: false });
    model.receive(playbackDocument(kind, { ...mine, revision: 9, isPlaying: true }));
    expect(model.receiveChange({ ...moved, revision: 10 })).toBe(true);
    expect(model.view.get().playing.timeline).toMatchObject({ revision: 10, isPlaying: true });
  });

  test('shows that another tab took control', async () => {
    const { model } = await tab(mine);
    expect(model.view.get().control).toBe('mine');
    model.receiveChange({ type: 'playback/controlChanged', revision: 2, controller: otherTab });
    expect(model.view.get().control).toBe('elsewhere');
  });

  test('reports once that it has loaded a track whose start waits', async () => {
    const player = createFakePlayer({ loadsAtOnce: false });
    const { model, connection, timer, serverNow } = await tab({ ...mine, tracks: [] }, { isHost: false, player });
    const started = { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() + 3000 };
    model.receive(playbackDocument(kind, started));
    expect(connection.count('playback/ready')).toBe(0);
    player.become({ phase: 'paused' });
    timer.pass(100);
    expect(connection.last('playback/ready').payload).toEqual({ kind, code: testRoomCode, revision: 2 });
    model.receive(playbackDocument(kind, { ...started, revision: 3, updatedAt: serverNow() + 200 }));
    timer.pass(1000);
    expect(connection.count('playback/ready')).toBe(1);
  });

  test('reports a track that it cannot play, so that the start does not wait for it', async () => {
    const player = createFakePlayer({ loadsAtOnce: false });
    const { model, connection, timer, serverNow } = await tab({ ...mine, tracks: [] }, { isHost: false, player });
    model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() + 3000 }));
    player.fail('unsupported');
    timer.pass(100);
    expect(connection.count('playback/ready')).toBe(1);
  });

  test('sends an unknown length of a track once, from the controlling tab only', async () => {
    const unknown = { ...mine, durationSeconds: null };
    const { timer, written } = await tab(unknown);
    timer.pass(1000);
    expect(written()).toEqual([{ type: 'measured', revision: 1, durationSeconds: 120 }]);
    const guest = await tab(unknown, { isHost: false });
    guest.timer.pass(1000);
    expect(guest.written()).toEqual([]);
  });

  test("sends the end of the track in the host's player", async () => {
    const { model, player, timer, serverNow, written } = await tab({ ...mine, durationSeconds: 120 });
    model.receive(
      playbackDocument(kind, {
        ...mine,
        durationSeconds: 120,
        revision: 2,
        isPlaying: true,
        currentTime: 119,
        updatedAt: serverNow(),
      }),
    );
    timer.pass(300);
    player.become({ phase: 'ended', positionSeconds: 120 });
    player.emit({ type: 'ended' });
    timer.pass(2000);
    expect(written()).toEqual([{ type: 'ended', revision: 2 }]);
  });

  test('repeats the end until the room reacts, and shows only the first refusal (SYNC-27)', async () => {
    const { model, connection, player, timer, serverNow, written, notices } = await tab(mine);
    const line = { ...mine, isPlaying: true, currentTime: 119, updatedAt: serverNow() };
    model.receive(playbackDocument(kind, { ...line, revision: 2 }));
    timer.pass(300);
    player.become({ phase: 'ended', positionSeconds: 120 });
    player.emit({ type: 'ended' });
    for (let time = 0; time < 3; time += 1) {
      await connection.last('playback/write').refuse('server/unavailable');
      // Something was queued meanwhile.
      if (time === 1) model.receive(playbackDocument(kind, { ...line, revision: 3 }));
      timer.pass(2600);
    }
    expect(written()).toEqual([2, 2, 3, 3].map((revision) => ({ type: 'ended', revision })));
    expect(notices).toEqual([{ type: 'refused', refusal: { code: 'server/unavailable' } }]);
  });

  test('shows the host which track cannot be played', async () => {
    const { model, player, notices, timer, serverNow } = await tab(mine);
    model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() }));
    player.fail('not-embeddable');
    timer.pass(200);
    expect(notices).toEqual([{ type: 'track-failed', title: 'Track a', code: 'not-embeddable' }]);
  });

  test('says that a player does not begin, ten seconds after the room has begun and until it does', async () => {
    const player = createFakePlayer({ loadsAtOnce: false });
    const { model, timer, serverNow } = await tab(mine, { player });
    timer.pass(20_000);
    expect(model.isStuck.get()).toBe(false);
    model.receive(playbackDocument(kind, { ...mine, revision: 2, isPlaying: true, updatedAt: serverNow() }));
    timer.pass(9000);
    expect(model.isStuck.get()).toBe(false);
    timer.pass(2000);
    expect(model.isStuck.get()).toBe(true);
    player.become({ phase: 'paused' });
    timer.pass(1000);
    expect(model.isStuck.get()).toBe(false);
  });

  test("a failure of the host's own network skips and pauses nothing; 'Resync' fetches the track at once", async () => {
    const { model, player, timer, written } = await tab({ ...mine, isPlaying: true, updatedAt: serverAheadMs });
    const loads = () => player.commands.filter((command) => command.startsWith('load')).length;
    const before = loads();
    player.fail('network');
    timer.pass(900);
    expect(loads()).toBe(before);
    model.resync();
    expect(loads()).toBe(before + 1);
    player.fail('network');
    model.wake();
    expect(loads()).toBe(before + 2);
    const pressed = written().map((intent) => (intent as { type: string }).type);
    expect(pressed.filter((type) => ['next', 'pause', 'ended'].includes(type))).toEqual([]);
  });

  const pasted = { ...track('a'), videoId: 'dQw4w9WgXcQ' as VideoId, title: 'dQw4w9WgXcQ' };

  test('the controlling tab sends a missing title once, and only for a YouTube video', async () => {
    const named = async (played: Track, options = {}) => {
      const { player, timer, written } = await tab({ ...mine, tracks: [played] }, options);
      player.become({ title: 'Velvet Hour – Nadia' });
      timer.pass(2000);
      return written().filter((intent) => (intent as { type: string }).type === 'named');
    };
    expect(await named(pasted)).toEqual([{ type: 'named', revision: 1, title: 'Velvet Hour – Nadia' }]);
    expect(await named({ ...pasted, title: 'Known already' })).toEqual([]);
    expect(await named(pasted, { isHost: false })).toEqual([]);
    expect(await named({ ...track('a'), title: track('a').videoId })).toEqual([]);
  });

  test('a live stream starts near its edge once, and its growing length is not written', async () => {
    const player = createFakePlayer({ loadsAtOnce: false });
    const playing = { ...mine, tracks: [pasted], isPlaying: true, updatedAt: serverAheadMs, durationSeconds: null };
    const { timer, written, clockSync } = await tab(playing, { player });
    player.become({ phase: 'playing', durationSeconds: null, liveEdgeSeconds: 90_000 });
    const atServerMs = clockSync.serverNow();
    for (let second = 1; second < 30; second += 1) {
      timer.pass(1000);
      player.become({ liveEdgeSeconds: 90_000 + second });
    }
    const live = written().filter((intent) => ['measured', 'reanchor'].includes((intent as { type: string }).type));
    expect(live).toEqual([{ type: 'reanchor', revision: 1, currentTime: 89_985, updatedAt: atServerMs }]);
  });

  test('is silent once the room has ended', async () => {
    const { model, player } = await tab(mine);
    model.stopPlayback();
    expect(player.commands.at(-1)).toBe('unload');
    expect(player.snapshot().phase).toBe('empty');
  });
});

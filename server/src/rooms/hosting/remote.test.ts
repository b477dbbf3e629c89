/** The remote of a room: who may press, who loses it when, and two presses at one moment. */
import { ownRemote, playbackOfDocument } from '@tunemate/domain';
import { type PlaybackIntent, type RoomSettings } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { goodPassword } from '@tunemate/testkit/worlds/test-app';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const use = (host: Tab, room: Room, how: RoomSettings['remoteUse']) =>
  host.ask('rooms/set', { ...room, settings: { remoteUse: how } });
const lend = (host: Tab, room: Room, to: Tab, isLent = true) =>
  host.ask('rooms/lendRemote', { ...room, uid: to.uid, isLent });
const press = (tab: Tab, room: Room, intent: PlaybackIntent, seen?: number) =>
  tab.ask('playback/write', { ...room, tabId: tab.tabId, clientId: newClientId(), intent, seen });

describeEachDialect('the remote of a room', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    /** Mara hosts, controls and plays the first of three tracks; Ada and Ivo are inside. */
    async function roomOfThree() {
      w.clock.advance(60_000);
      const [mara, ada, ivo] = [await w.arrive('Mara'), await w.arrive('Ada'), await w.arrive('Ivo')];
      const { room, stream } = await w.roomWith(mara, kind, ada, ivo);
      valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
      valueOf(await press(mara, room, { type: 'choose', track: trackOf(1) }));
      for (const n of [2, 3]) valueOf(await press(mara, room, { type: 'enqueue', track: trackOf(n) }));
      const look = async (tab = mara) => {
        const snapshot = valueOf(await tab.ask('rooms/enter', room));
        const { timeline, queue, by } = playbackOfDocument(snapshot.playback);
        const { remoteUse, remoteHolders } = snapshot.room;
        return { remote: { remoteUse, remoteHolders }, timeline, queue, by };
      };
      return { mara, ada, ivo, room, stream, look };
    }

    test('is the host’s alone at first, and a room that does not use it names no person (REMOTE-1)', async () => {
      const { mara, ada, room, stream, look } = await roomOfThree();
      expect(codeOf(await press(ada, room, { type: 'pause' }))).toBe('room/host-only');
      valueOf(await press(mara, room, { type: 'pause' }));
      await expect.poll(() => ada.changes(stream).at(-1)).toMatchObject({ type: 'playback/moved', isPlaying: false });
      expect(ada.changes(stream).at(-1)).not.toHaveProperty('by');
      expect(await look()).toMatchObject({ remote: ownRemote, by: undefined });
    });

    test('is held by whom the host lends it to, who presses by name, until it is taken or given back (REMOTE-1, REMOTE-2)', async () => {
      const { mara, ada, ivo, room, stream, look } = await roomOfThree();
      valueOf(await lend(mara, room, ada));
      const remote = { remoteUse: 'lent', remoteHolders: [ada.uid] };
      for (const tab of [mara, ada, ivo])
        await expect.poll(() => tab.changes(stream).at(-1)).toEqual({ type: 'rooms/set', settings: remote });
      valueOf(await press(ada, room, { type: 'pause' }));
      await expect.poll(() => ivo.changes(stream).at(-1)).toMatchObject({ type: 'playback/moved', by: ada.uid });
      expect(await look(ivo)).toMatchObject({ remote, by: ada.uid, timeline: { isPlaying: false } });
      expect(codeOf(await press(ivo, room, { type: 'play' }))).toBe('room/host-only');
      valueOf(await press(mara, room, { type: 'play' }));
      expect(await look()).toMatchObject({ by: mara.uid });

      valueOf(await lend(mara, room, ada, false));
      expect(codeOf(await press(ada, room, { type: 'pause' }))).toBe('room/host-only');
      valueOf(await lend(mara, room, ada));
      valueOf(await ada.ask('rooms/giveRemoteBack', room));
      expect(codeOf(await press(ada, room, { type: 'pause' }))).toBe('room/host-only');
      valueOf(await ada.ask('rooms/giveRemoteBack', room));
    });

    test('lets its holder steer and change the queue, and nothing else of the host (REMOTE-1)', async () => {
      const { mara, ada, room } = await roomOfThree();
      valueOf(await use(mara, room, 'everyone'));
      const [first, , third] = [trackOf(1), trackOf(2), trackOf(3)];
      const may: readonly PlaybackIntent[] = [
        { type: 'seek', videoId: first.videoId, currentTime: 10 },
        { type: 'enqueue', track: trackOf(4) },
        { type: 'enqueueAll', items: [trackOf(5), trackOf(6)] },
        { type: 'move', from: 1, to: 2, videoId: trackOf(2).videoId },
        { type: 'remove', index: 1, videoId: third.videoId },
        { type: 'next' },
        { type: 'previous' },
        { type: 'jump', currentIndex: 0 },
        { type: 'choose', track: trackOf(7) },
        { type: 'pause' },
        { type: 'play' },
      ];
      for (const intent of may)
        expect([intent.type, codeOf(await press(ada, room, intent))]).toEqual([intent.type, 'ok']);
      const mayNot: readonly PlaybackIntent[] = [
        { type: 'setAfterTrack', afterTrack: 'stop' },
        { type: 'ended', revision: 1 },
        { type: 'reanchor', revision: 1, currentTime: 1, updatedAt: 1 },
        { type: 'republish', revision: 1 },
        { type: 'hold', revision: 1, currentTime: 1 },
        { type: 'measured', revision: 1, durationSeconds: 1 },
        { type: 'named', revision: 1, title: 'Mine' },
      ];
      for (const intent of mayNot)
        expect([intent.type, codeOf(await press(ada, room, intent))]).toEqual([intent.type, 'room/host-only']);
      expect(codeOf(await use(ada, room, 'host'))).toBe('room/host-only');
      expect(codeOf(await lend(ada, room, ada))).toBe('room/host-only');
      expect(codeOf(await ada.ask('playback/takeControl', { ...room, tabId: ada.tabId }))).toBe('room/host-only');
      expect(codeOf(await ada.ask('rooms/set', { ...room, settings: { isLocked: true } }))).toBe('room/host-only');
    });

    test('is lost by leaving, by removal and as the room is handed over (REMOTE-2)', async () => {
      const { mara, ada, ivo, room, look } = await roomOfThree();
      valueOf(await lend(mara, room, ada));
      valueOf(await lend(mara, room, ivo));
      valueOf(await ada.ask('rooms/leave', { ...room, ends: false }));
      valueOf(await mara.ask('rooms/removeParticipant', { ...room, uid: ivo.uid, forGood: false }));
      expect((await look()).remote).toEqual({ remoteUse: 'lent', remoteHolders: [] });
      expect(codeOf(await press(ada, room, { type: 'pause' }))).toBe('room/not-member');
      expect(codeOf(await press(ivo, room, { type: 'pause' }))).toBe('room/removed');

      valueOf(await ada.ask('rooms/askToJoin', room));
      valueOf(await mara.ask('rooms/acceptRequest', { ...room, uid: ada.uid }));
      valueOf(await use(mara, room, 'everyone'));
      valueOf(await mara.ask('rooms/offerHosting', { ...room, uid: ada.uid, leaves: false }));
      valueOf(await ada.ask('rooms/answerHosting', { ...room, tabId: ada.tabId, takes: true }));
      expect((await look(ada)).remote).toEqual(ownRemote);
      expect(codeOf(await press(mara, room, { type: 'pause' }))).toBe('room/host-only');
    });

    test('goes to members and to people who are invited, once they are inside', async () => {
      const { mara, ivo, room, look } = await roomOfThree();
      expect(codeOf(await lend(mara, room, await w.arrive('Noor')))).toBe('access/not-found');
      expect(codeOf(await lend(mara, room, mara))).toBe('input/invalid');
      valueOf(await ivo.ask('rooms/leave', { ...room, ends: false }));
      expect(codeOf(await lend(mara, room, ivo))).toBe('access/not-found');
      valueOf(await mara.ask('notifications/invite', { clientId: newClientId(), uid: ivo.uid }));
      valueOf(await lend(mara, room, ivo));
      expect((await look()).remote.remoteHolders).toEqual([ivo.uid]);
      expect(codeOf(await press(ivo, room, { type: 'pause' }))).toBe('room/not-member');
      valueOf(await ivo.ask('rooms/askToJoin', room));
      expect(codeOf(await press(ivo, room, { type: 'pause' }))).toBe('ok');
    });

    test('is lost by a block between the host and a person who is invited and not inside (REMOTE-2)', async () => {
      const { mara, ada, ivo, room, look } = await roomOfThree();
      for (const guest of [ada, ivo]) {
        valueOf(await guest.ask('rooms/leave', { ...room, ends: false }));
        valueOf(await mara.ask('notifications/invite', { clientId: newClientId(), uid: guest.uid }));
        valueOf(await lend(mara, room, guest));
      }
      valueOf(await mara.ask('chats/block', { uid: ada.uid, isBlocked: true }));
      expect((await look()).remote.remoteHolders).toEqual([ivo.uid]);
      valueOf(await ivo.ask('chats/block', { uid: mara.uid, isBlocked: true }));
      expect((await look()).remote.remoteHolders).toEqual([]);
    });

    test('is lost with the account of a person who is invited and not inside (REMOTE-2)', async () => {
      const { mara, ivo, room, stream, look } = await roomOfThree();
      valueOf(await ivo.ask('rooms/leave', { ...room, ends: false }));
      valueOf(await mara.ask('notifications/invite', { clientId: newClientId(), uid: ivo.uid }));
      valueOf(await lend(mara, room, ivo));
      // People of a test have no password, so it gets that of a member.
      await w.app.member('Keyed');
      const password = w.db.selectFrom('users').select('password_hash').where('name', '=', 'Keyed').limit(1);
      await w.db.updateTable('users').set({ password_hash: password }).where('uid', '=', ivo.uid).execute();
      const browser = w.app.visitor();
      browser.setCookie(ivo.cookie);
      valueOf((await browser.call('POST /api/accounts/delete', { password: goodPassword })).result);
      expect((await look()).remote.remoteHolders).toEqual([]);
      expect(mara.changes(stream).at(-1)).toMatchObject({ type: 'rooms/set', settings: { remoteHolders: [] } });
    });

    test('of two presses at one moment the first counts, and the other is refused, not undone (REMOTE-3)', async () => {
      const { mara, ada, ivo, room, look } = await roomOfThree();
      valueOf(await use(mara, room, 'everyone'));
      const { revision: seen } = (await look()).timeline;
      const presses = await Promise.all([
        press(ada, room, { type: 'choose', track: trackOf(7) }, seen),
        press(ivo, room, { type: 'choose', track: trackOf(8) }, seen),
      ]);
      expect(presses.map(codeOf).toSorted()).toEqual(['ok', 'playback/overtaken']);
      const winner = codeOf(presses[0]) === 'ok' ? { by: ada.uid, n: 7 } : { by: ivo.uid, n: 8 };
      expect(await look()).toMatchObject({ by: winner.by, timeline: { trackKey: trackOf(winner.n).videoId } });
      // Additions never get in each other's way, and a second press of one person doesn't either.
      expect(codeOf(await press(mara, room, { type: 'enqueue', track: trackOf(9) }, seen))).toBe('ok');
      const again = winner.by === ada.uid ? ada : ivo;
      expect(codeOf(await press(again, room, { type: 'pause' }, seen))).toBe('playback/overtaken');
      const now = (await look()).timeline.revision;
      expect(codeOf(await press(again, room, { type: 'pause' }, now))).toBe('ok');
      expect(codeOf(await press(again, room, { type: 'play' }, now))).toBe('ok');
      expect(codeOf(await press(mara, room, { type: 'pause' }, now))).toBe('playback/overtaken');
    });

    test('a press that is sent again after a lost answer counts once', async () => {
      const { mara, ada, room, look } = await roomOfThree();
      valueOf(await use(mara, room, 'everyone'));
      const payload = { ...room, tabId: ada.tabId, clientId: newClientId(), intent: { type: 'next' } as const };
      const first = valueOf(await ada.ask('playback/write', payload));
      expect(valueOf(await ada.ask('playback/write', payload))).toEqual(first);
      expect((await look()).queue.currentIndex).toBe(1);
    });

    test('a press that counted before the remote was taken is answered so when it is sent again', async () => {
      const { mara, ada, room } = await roomOfThree();
      valueOf(await lend(mara, room, ada));
      const payload = { ...room, tabId: ada.tabId, clientId: newClientId(), intent: { type: 'next' } as const };
      const first = valueOf(await ada.ask('playback/write', payload));
      valueOf(await lend(mara, room, ada, false));
      expect(valueOf(await ada.ask('playback/write', payload))).toEqual(first);
      const other = { ...payload, clientId: newClientId() };
      expect(codeOf(await ada.ask('playback/write', other))).toBe('room/host-only');
    });

    test('a press that is given up is answered if it counted, and else never counts (REMOTE-4)', async () => {
      const { mara, ada, room, look } = await roomOfThree();
      valueOf(await use(mara, room, 'everyone'));
      const payload = { ...room, tabId: ada.tabId, clientId: newClientId(), intent: { type: 'next' } as const };
      const first = valueOf(await ada.ask('playback/write', payload));
      expect(valueOf(await ada.ask('playback/write', { ...payload, givesUp: true }))).toEqual(first);
      const late = { ...payload, clientId: newClientId() };
      for (const again of [{ givesUp: true } as const, { givesUp: true } as const, {}])
        expect(codeOf(await ada.ask('playback/write', { ...late, ...again }))).toBe('playback/given-up');
      expect((await look()).queue.currentIndex).toBe(1);
    });

    test('in any order of presses, lending and taking back, all pages end in one state and none acts without the right', async () => {
      const acts = fc.record({
        who: fc.integer({ min: 0, max: 2 }),
        what: fc.constantFrom('pause', 'play', 'next', 'choose', 'lend', 'take'),
        isStale: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(acts, { minLength: 4, maxLength: 14 }), async (steps) => {
          const { mara, ada, ivo, room, stream, look } = await roomOfThree();
          const people = [mara, ada, ivo];
          const results = await Promise.all(
            steps.map(async ({ who, what, isStale }, at) => {
              const tab = people[who] ?? mara;
              if (what === 'lend' || what === 'take')
                return codeOf(await lend(mara, room, at % 2 ? ada : ivo, what === 'lend'));
              const intent: PlaybackIntent =
                what === 'choose' ? { type: 'choose', track: trackOf(10 + at) } : { type: what };
              return codeOf(await press(tab, room, intent, isStale ? 3 : undefined));
            }),
          );
          expect(['ok', 'room/host-only', 'playback/overtaken']).toEqual(expect.arrayContaining([...new Set(results)]));
          const { timeline } = await look();
          const holders = new Set<string>();
          for (const tab of people) {
            await expect.poll(() => lastRevision(tab.changes(stream))).toBe(timeline.revision);
            expect(tab.gaps).toEqual([]);
          }
          for (const change of mara.changes(stream)) {
            if (change.type === 'rooms/set' && 'remoteHolders' in change.settings) {
              holders.clear();
              for (const uid of change.settings.remoteHolders ?? []) holders.add(uid);
            }
            if ('by' in change && change.by !== undefined && change.by !== mara.uid)
              expect(holders).toContain(change.by);
          }
          valueOf(await mara.ask('rooms/leave', room));
        }),
        { numRuns: 15 },
      );
    });
  });
});

const lastRevision = (changes: readonly object[]): number =>
  changes.reduce((last, change) => ('revision' in change ? Number(change.revision) : last), 0);

test('a holder who floods is bounded alone, and one press of the host ends it (REMOTE-3)', async () => {
  const w = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
  const [mara, ada] = [await w.arrive('Mara'), await w.arrive('Ada')];
  const { room, stream } = await w.roomWith(mara, 'audio', ada);
  valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
  valueOf(await lend(mara, room, ada));
  const flood = (from: number) =>
    Promise.all(Array.from({ length: 60 }, (_, n) => press(ada, room, { type: 'choose', track: trackOf(from + n) })));
  const codes = (await flood(100)).map(codeOf);
  expect(codes.filter((code) => code === 'ok').length).toBeLessThanOrEqual(21);
  expect(new Set(codes)).toEqual(new Set(['ok', 'limit/too-many']));
  expect(codeOf(await press(mara, room, { type: 'pause' }))).toBe('ok');
  w.clock.advance(1000);
  const [late] = await Promise.all([flood(200), lend(mara, room, ada, false)]);
  const all = mara.changes(stream);
  const takenAt = all.findLastIndex((change) => change.type === 'rooms/set');
  const after = all.slice(takenAt + 1).filter((change) => 'by' in change && change.by === ada.uid);
  expect(after).toEqual([]);
  expect(late.map(codeOf)).toContain('limit/too-many');
  w.clock.advance(60_000);
  // Her connection takes a frame again after a second of its own.
  await expect.poll(async () => codeOf(await press(ada, room, { type: 'pause' }))).toBe('room/host-only');
  await w.close();
});

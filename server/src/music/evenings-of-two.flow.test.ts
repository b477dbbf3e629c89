/**
 * Two people from their first evening on: a week in two countries with one on a phone that loses its line, and a year. Who
 * opens the room opens the one of the evening before again; both hold the remote. On both databases.
 */
import { pairIdOf } from '@tunemate/domain';
import type { Room, SocketWorld, Tab } from '@tunemate/testkit/worlds/socket-world';
import { createRoom, letIn, openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import type { Person } from '@tunemate/testkit/worlds/people';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { expect, test } from 'vitest';

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 60 * 60_000];
const dayMs = 24 * hourMs;
/** As pages report. */
const stepMs = 30 * secondMs;
const eveningMs = 12 * minuteMs;
/** Of an evening whose listener loses the line for so long. */
const lostMs = minuteMs;
const exactMs = 5 * secondMs;
const never = { from: 0, until: 1 };

/** The calendar's day at `atMs` in a country so many hours ahead of Greenwich. */
function dayOf(atMs: number, aheadHours: number) {
  const from = Math.floor((atMs + aheadHours * hourMs) / dayMs) * dayMs - aheadHours * hourMs;
  return { from, until: from + dayMs };
}

describeEachDialect('two people', (makeDatabaseUrl) => {
  /** They meet in a room of Mara's, which makes them tunemates, and agree to keep what they hear. */
  async function meet(w: SocketWorld): Promise<{ mara: Person; ivo: Person }> {
    const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const room = await createRoom(mara, 'audio');
    await letIn(mara, ivo, room);
    valueOf(await mara.ask('rooms/enter', room));
    valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
    await write(mara, room, { type: 'enqueue', track: trackOf(0, eveningMs / secondMs) });
    for (const [tab, { uid }] of [
      [mara, ivo],
      [ivo, mara],
    ] as const)
      expect(valueOf(await tab.ask('music/keep', { uid, keeps: true }))).toEqual({ outcome: 'done' });
    valueOf(await mara.ask('rooms/leave', { ...room, ends: true }));
    for (const tab of [mara, ivo]) await w.leave(tab);
    return { mara, ivo };
  }

  async function write(tab: Tab, room: Room, intent: object): Promise<void> {
    expect(
      await tab.send('playback/write', { ...room, tabId: tab.tabId, clientId: newClientId(), intent }),
    ).toMatchObject({
      ok: true,
    });
  }

  /** Their players are in step for so long. */
  async function hear(w: SocketWorld, forMs: number, ...tabs: Tab[]): Promise<void> {
    for (let ms = 0; ms < forMs; ms += stepMs) {
      for (const tab of tabs) valueOf(await tab.ask('clock/probe', { roundTripMs: 20, driftMs: 3 }));
      await w.pass(stepMs);
    }
    for (const tab of tabs) valueOf(await tab.ask('clock/probe', { roundTripMs: 20, driftMs: 3 }));
  }

  /** Mara opens the room of last time again, Ivo comes by the invitation, and they hear track `n` of an evening's length. */
  async function evening(w: SocketWorld, { mara, ivo }: { mara: Person; ivo: Person }, n: number, losesLine = false) {
    const hers = await w.connect(await w.signIn(mara));
    let his = await w.connect(await w.signIn(ivo));
    const [last] = valueOf(await hers.ask('rooms/before', {})).rooms;
    const room: Room = last
      ? valueOf(await hers.ask('rooms/openAgain', { clientId: newClientId(), roomId: last.roomId }))
      : await createRoom(hers, 'audio');
    if (!last) valueOf(await hers.ask('notifications/invite', { clientId: newClientId(), uid: ivo.uid, room }));
    const place = { kind: room.kind, code: room.code };
    valueOf(await hers.ask('rooms/enter', place));
    valueOf(await hers.ask('rooms/lendRemote', { ...place, uid: ivo.uid, isLent: true }));
    expect(valueOf(await his.ask('rooms/askToJoin', place)).status).toBe('member');
    valueOf(await his.ask('rooms/enter', place));
    valueOf(await hers.ask('playback/takeControl', { ...place, tabId: hers.tabId }));
    const begunAtMs = w.clock.now();
    // Each chooses every second time.
    await write(n % 2 === 0 ? hers : his, place, { type: 'choose', track: trackOf(n, eveningMs / secondMs) });
    await hear(w, eveningMs / 2, hers, his);
    if (losesLine) {
      his.leave();
      await hear(w, lostMs, hers);
      his = await w.connect(ivo);
      valueOf(await his.ask('rooms/enter', place));
      await hear(w, eveningMs / 2 - lostMs, hers, his);
    } else await hear(w, eveningMs / 2, hers, his);
    await write(his, place, { type: 'pause' });
    for (let ms = 0; ms < 3 * minuteMs; ms += stepMs) await w.pass(stepMs);
    valueOf(await hers.ask('rooms/leave', { ...place, ends: true }));
    for (const tab of [hers, his]) await w.leave(tab);
    return begunAtMs;
  }

  /** On a page that is opened for it. */
  async function read<T>(w: SocketWorld, person: Person, of: (tab: Tab) => Promise<T>): Promise<T> {
    const tab = await w.connect(await w.signIn(person));
    const value = await of(tab);
    await w.leave(tab);
    return value;
  }
  const musicOf = (w: SocketWorld, person: Person, { uid }: Person, ago = never) =>
    read(w, person, async (tab) => {
      const state = valueOf(await tab.ask('music/pair', { uid, ago }));
      return state.status === 'kept' ? state.music : expect.fail('nothing is kept');
    });

  test('in two countries for a week have every evening counted to 5 s, on the days of each calendar', async () => {
    // A quarter to midnight for Mara in Lisbon; Ivo, in Auckland, is 13 hours ahead.
    const clock = createFakeClock(Date.UTC(2030, 0, 7, 23, 45));
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), clock });
    const two = await meet(w);
    const { mara, ivo } = two;
    const begun: number[] = [];
    for (let day = 0; day < 7; day += 1) {
      const before = (await musicOf(w, mara, ivo)).heardMs;
      const losesLine = day % 3 === 1;
      begun.push(await evening(w, two, day, losesLine));
      const heardMs = (await musicOf(w, mara, ivo)).heardMs - before;
      const truthMs = eveningMs - (losesLine ? lostMs : 0);
      expect(Math.abs(heardMs - truthMs), `evening ${String(day)}`).toBeLessThanOrEqual(exactMs);
      await w.pass(dayMs - (clock.now() % dayMs) + 23 * hourMs + 45 * minuteMs - dayMs);
    }
    const [hers, his] = [await musicOf(w, mara, ivo), await musicOf(w, ivo, mara)];
    expect(hers).toMatchObject({
      evenings: 7,
      tracks: 7,
      weeks: begun.map((from) => ({ from: expect.closeTo(from, -4) })),
    });
    expect(his).toEqual(hers);
    const [third = 0] = begun.slice(2);
    const ofMara = await musicOf(w, mara, ivo, dayOf(third, 0));
    const ofIvo = await musicOf(w, ivo, mara, dayOf(third, 13));
    expect([ofMara.ago.tracks, ofIvo.ago.tracks].map((tracks) => tracks.map(({ title }) => title))).toEqual([
      ['Track 2'],
      ['Track 2'],
    ]);
    expect(dayOf(third, 13).from).toBeGreaterThan(dayOf(third, 0).from);
    await w.close();
  });

  test('have nothing at first, and after a year each evening of it, that day a year ago, and nothing once one forgets', async () => {
    const clock = createFakeClock(Date.UTC(2031, 2, 1, 20));
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), clock });
    const two = await meet(w);
    const { mara, ivo } = two;
    expect(await musicOf(w, mara, ivo)).toMatchObject({ heardMs: 0, tracks: 0, first: null, met: null });
    const firstAtMs = await evening(w, two, 1);
    for (let month = 2; month <= 12; month += 1) {
      await w.pass(29 * dayMs);
      await evening(w, two, month);
    }
    await w.pass(firstAtMs + 365 * dayMs - clock.now());
    const music = await musicOf(w, ivo, mara, dayOf(firstAtMs, 0));
    expect(music).toMatchObject({
      evenings: 12,
      tracks: 12,
      first: { title: 'Track 1' },
      ago: { tracks: [{ title: 'Track 1' }] },
    });
    const span = { from: firstAtMs - dayMs, until: clock.now() };
    const year = await read(w, mara, async (tab) => valueOf(await tab.ask('music/year', { uid: ivo.uid, year: span })));
    expect(year).toMatchObject({ evenings: 12, heardMs: music.heardMs, tracks: 12, found: { mine: 6, theirs: 6 } });
    expect(Math.abs(year.heardMs - 12 * eveningMs)).toBeLessThanOrEqual(12 * exactMs);

    await read(w, ivo, async (tab) => valueOf(await tab.ask('music/forget', { uid: mara.uid })));
    expect(await musicOf(w, mara, ivo)).toMatchObject({ heardMs: 0, tracks: 0, first: null, forgottenBy: 'them' });
    const pairId = pairIdOf(mara.uid, ivo.uid);
    for (const table of ['music_listens', 'music_tracks', 'music_evenings'] as const)
      expect(await w.db.selectFrom(table).selectAll().where('pair_id', '=', pairId).execute(), table).toEqual([]);
    const stranger = await w.arrive('Eve');
    expect(codeOf(await stranger.ask('music/pair', { uid: mara.uid, ago: never }))).toBe('access/not-found');
    await w.close();
  });
});

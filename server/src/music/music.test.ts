/** What two people hear together: who agrees to keep it, what is counted, who sees and who deletes it. On both databases. */
import { pairIdOf } from '@tunemate/domain';
import type { Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import type { Db } from '../storage/schema.ts';

const stepMs = 10_000;
const dayMs = 24 * 60 * 60_000;
const trackOf = (n: number, durationSeconds = 90) => ({
  videoId: `lib_${String(n).repeat(16)}`,
  title: `Song ${String(n)} – Artist ${String(n)}`,
  durationSeconds,
});
const never = { from: 0, until: 1 };

const idOf = (n: number): string => `lib_${String(n).padStart(16, '0')}`;

async function planOf(db: Db, statement: string): Promise<string> {
  const plan = sql<{ detail: string }>`explain query plan ${sql.raw(statement.replaceAll('?', 'null'))}`;
  return (await plan.execute(db)).rows.map(({ detail }) => detail).join('; ');
}

describeEachDialect('what two people hear together', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  const statements: string[] = [];
  beforeAll(async () => {
    w = await openSocketWorld({
      databaseUrl: await makeDatabaseUrl(),
      onStatement: (each) => void statements.push(each),
    });
  });
  afterAll(() => w.close());

  /** Two tunemates in a room of the first. */
  async function pair(): Promise<{ ada: Tab; jonas: Tab; room: Room }> {
    const [ada, jonas] = [await w.arrive('Ada'), await w.arrive('Jonas')];
    const { room } = await w.roomWith(ada, 'audio', jonas);
    valueOf(await ada.ask('playback/takeControl', { ...room, tabId: ada.tabId }));
    return { ada, jonas, room };
  }
  const keep = (tab: Tab, uid: Uid, keeps = true) => tab.ask('music/keep', { uid, keeps });
  async function agree(ada: Tab, jonas: Tab): Promise<void> {
    expect(valueOf(await keep(ada, jonas.uid))).toEqual({ outcome: 'done' });
    expect(valueOf(await keep(jonas, ada.uid))).toEqual({ outcome: 'done' });
  }
  const stateOf = async (tab: Tab, uid: Uid, ago = never) => valueOf(await tab.ask('music/pair', { uid, ago }));
  async function musicOf(tab: Tab, uid: Uid, ago = never) {
    const state = await stateOf(tab, uid, ago);
    return state.status === 'kept' ? state.music : expect.fail('nothing is kept');
  }
  async function write(host: Tab, room: Room, intent: object): Promise<void> {
    const payload = { ...room, tabId: host.tabId, clientId: newClientId(), intent };
    expect(await host.send('playback/write', payload)).toMatchObject({ ok: true });
  }
  /** The players of these are in step for so long, and then what is settled is counted. */
  async function hear(forMs: number, ...tabs: Tab[]): Promise<void> {
    for (let ms = 0; ms <= forMs; ms += stepMs) {
      for (const tab of tabs) valueOf(await tab.ask('clock/probe', { roundTripMs: 20, driftMs: 3 }));
      await w.pass(ms >= forMs ? 0 : stepMs);
    }
  }
  /** Until nothing of it is left to be counted. */
  async function settle(): Promise<void> {
    for (let n = 0; n < 14; n += 1) await w.pass(stepMs);
  }
  const inbox = async ({ uid }: Tab) =>
    (await w.db.selectFrom('notifications').select('type').where('uid', '=', uid).execute()).map(({ type }) => type);

  test('costs a room of people who keep nothing no statement', async () => {
    const { ada, jonas, room } = await pair();
    await write(ada, room, { type: 'choose', track: trackOf(4) });
    await hear(stepMs, ada, jonas);
    statements.length = 0;
    await hear(2 * stepMs, ada, jonas);
    expect(statements.filter((each) => /insert into "music|"queue_items"/.test(each))).toEqual([]);
  });

  test('is kept once both said so, and what both heard of a room is counted exactly', async () => {
    const { ada, jonas, room } = await pair();
    expect(await stateOf(ada, jonas.uid)).toMatchObject({ status: 'none', askFrom: 0 });
    await keep(ada, jonas.uid);
    expect([(await stateOf(ada, jonas.uid)).status, (await stateOf(jonas, ada.uid)).status]).toEqual(['asked', 'asks']);
    expect(await inbox(jonas)).toContain('music');
    await keep(jonas, ada.uid);
    expect(await inbox(jonas)).not.toContain('music');
    const startedAt = w.clock.now();
    await write(ada, room, { type: 'choose', track: trackOf(1) });
    await hear(60_000, ada, jonas);
    await write(ada, room, { type: 'pause' });
    await hear(30_000, ada);
    await write(ada, room, { type: 'play' });
    await hear(20_000, ada, jonas);
    await write(ada, room, { type: 'pause' });
    await settle();
    const mine = await musicOf(ada, jonas.uid, { from: startedAt, until: startedAt + dayMs });
    expect(mine.heardMs).toBeGreaterThanOrEqual(75_000);
    expect(mine.heardMs).toBeLessThanOrEqual(81_000);
    expect(mine).toMatchObject({
      tracks: 1,
      most: [{ title: 'Song 1 – Artist 1', times: 1 }],
      first: { title: 'Song 1 – Artist 1' },
      met: { room: { kind: 'audio', code: room.code } },
      ago: { tracks: [{ title: 'Song 1 – Artist 1' }] },
    });
    expect(await musicOf(jonas, ada.uid, { from: startedAt, until: startedAt + dayMs })).toEqual(mine);
    const year = valueOf(await jonas.ask('music/year', { uid: ada.uid, year: { from: 0, until: w.clock.now() } }));
    expect(year).toMatchObject({ heardMs: mine.heardMs, tracks: 1, found: { mine: 0, theirs: 1 } });
  });

  test('has nothing of what only one heard, and is seen by no third person', async () => {
    const { ada, jonas, room } = await pair();
    const eve = await w.arrive('Eve');
    await agree(ada, jonas);
    await write(ada, room, { type: 'choose', track: trackOf(2) });
    await hear(60_000, ada);
    await settle();
    expect((await musicOf(ada, jonas.uid)).heardMs).toBe(0);
    for (const name of ['music/pair', 'music/keep', 'music/forget', 'music/year', 'music/blend'] as const) {
      const payload = { uid: ada.uid, ago: never, keeps: true, year: never, seed: 1 };
      const shape = Object.fromEntries(
        Object.entries(payload).filter(([key]) =>
          ({
            'music/pair': ['uid', 'ago'],
            'music/keep': ['uid', 'keeps'],
            'music/forget': ['uid'],
            'music/year': ['uid', 'year'],
            'music/blend': ['uid', 'seed'],
          })[name].includes(key),
        ),
      );
      expect(await eve.send(name, shape)).toMatchObject({ ok: false, error: { code: 'access/not-found' } });
    }
  });

  test('has the titles that the server knows or one of the two typed, and never the words of a third person (S21)', async () => {
    const { ada, jonas, room } = await pair();
    await agree(ada, jonas);
    const titled = (videoId: string, title: string) => ({ videoId, title, durationSeconds: 60 });
    await w.db
      .insertInto('catalogue_cache')
      .values({ key: 'title:dQw4w9WgXc1', answer: JSON.stringify('Sinnerman'), at_ms: w.clock.now() })
      .execute();
    const listen = async (host: Tab, where: Room, ...tracks: object[]) => {
      for (const track of tracks) {
        await write(host, where, { type: 'choose', track });
        await hear(60_000, ada, jonas);
      }
      await settle();
    };
    await listen(ada, room, titled('dQw4w9WgXc3', 'Our song'));
    const eve = await w.arrive('Eve');
    const { room: hers } = await w.roomWith(eve, 'audio', ada, jonas);
    valueOf(await eve.ask('playback/takeControl', { ...hers, tabId: eve.tabId }));
    await listen(
      eve,
      hers,
      titled('dQw4w9WgXc1', 'Jonas hates Ada'),
      titled('dQw4w9WgXc2', 'Leave him'),
      titled('dQw4w9WgXc3', 'Not yours'),
    );
    const kept = { dQw4w9WgXc1: 'Sinnerman', dQw4w9WgXc2: 'dQw4w9WgXc2', dQw4w9WgXc3: 'Our song' };
    const titles = (tracks: readonly { videoId: string; title: string }[]) =>
      Object.fromEntries(tracks.map(({ videoId, title }) => [videoId, title]));
    const music = await musicOf(ada, jonas.uid);
    expect(titles(music.most)).toEqual(kept);
    expect(music.first?.title).toBe('Our song');
    const year = valueOf(await jonas.ask('music/year', { uid: ada.uid, year: { from: 0, until: w.clock.now() } }));
    expect(titles(year.most)).toEqual(kept);
    const { tracks } = valueOf(await ada.ask('music/blend', { uid: jonas.uid, seed: 3 }));
    expect(titles(tracks)).toEqual({ ...kept, dQw4w9WgXc3: expect.not.stringContaining('Not yours') as string });
  });

  test('is deleted by either for both, with the tie, by a block and with a history that is switched off', async () => {
    const rows = async ({ uid }: Tab) =>
      (await w.db.selectFrom('music_pairs').select('pair_id').where('pair_id', 'like', `%${uid}%`).execute()).length;
    const first = await pair();
    await agree(first.ada, first.jonas);
    await write(first.ada, first.room, { type: 'choose', track: trackOf(3) });
    await hear(60_000, first.ada, first.jonas);
    await settle();
    expect((await musicOf(first.ada, first.jonas.uid)).heardMs).toBeGreaterThan(0);
    valueOf(await first.jonas.ask('music/forget', { uid: first.ada.uid }));
    expect(await musicOf(first.ada, first.jonas.uid)).toMatchObject({ heardMs: 0, tracks: 0, forgottenBy: 'them' });
    await keep(first.jonas, first.ada.uid, false);
    expect(await stateOf(first.ada, first.jonas.uid)).toMatchObject({ status: 'none', forgottenBy: 'them' });
    await agree(first.ada, first.jonas);
    valueOf(await first.ada.ask('tunemates/remove', { uid: first.jonas.uid }));
    expect(await rows(first.ada)).toBe(0);
    expect(codeOf(await first.jonas.ask('music/pair', { uid: first.ada.uid, ago: never }))).toBe('access/not-found');

    const second = await pair();
    await agree(second.ada, second.jonas);
    valueOf(await second.jonas.ask('chats/block', { uid: second.ada.uid, isBlocked: true }));
    expect(await rows(second.ada)).toBe(0);

    const third = await pair();
    await agree(third.ada, third.jonas);
    valueOf(await third.ada.ask('rooms/keepHistory', { isKept: false }));
    expect(await rows(third.ada)).toBe(0);
    expect(valueOf(await keep(third.ada, third.jonas.uid))).toEqual({ outcome: 'history-off' });
  });

  test('a former tunemate and a blocked person are answered as strangers, and what they keep asking leaves no row', async () => {
    const requests = [
      ['music/pair', { ago: never }],
      ['music/keep', { keeps: true }],
      ['music/keep', { keeps: false }],
      ['music/forget', {}],
      ['music/year', { year: { from: 0, until: w.clock.now() } }],
      ['music/blend', { seed: 1 }],
    ] as const;
    const ends = {
      'tunemates/remove': ({ uid }: Tab) => ({ uid }),
      'chats/block': ({ uid }: Tab) => ({ uid, isBlocked: true }),
    };
    for (const [name, payload] of Object.entries(ends)) {
      const { ada, jonas, room } = await pair();
      await agree(ada, jonas);
      await write(ada, room, { type: 'choose', track: trackOf(8) });
      await hear(60_000, ada, jonas);
      valueOf(await ada.send(name, payload(jonas)));
      await settle();
      const stranger = await w.arrive('Eve');
      const asked = async (tab: Tab) =>
        await Promise.all(requests.map(async ([each, more]) => await tab.send(each, { uid: ada.uid, ...more })));
      expect(await asked(jonas)).toEqual(await asked(stranger));
      expect((await asked(jonas)).map(codeOf)).toEqual(requests.map(() => 'access/not-found'));
      for (const table of ['music_pairs', 'music_listens', 'music_tracks', 'music_evenings'] as const) {
        const rows = await w.db
          .selectFrom(table)
          .select('pair_id')
          .where('pair_id', 'like', `%${jonas.uid}%`)
          .execute();
        expect([name, table, rows]).toEqual([name, table, []]);
      }
    }
  });

  test('is asked again a month after a no at the earliest, and a question can be taken back', async () => {
    const { ada, jonas } = await pair();
    await keep(ada, jonas.uid);
    await keep(ada, jonas.uid, false);
    expect(await inbox(jonas)).not.toContain('music');
    await keep(ada, jonas.uid);
    await keep(jonas, ada.uid, false);
    expect(valueOf(await keep(ada, jonas.uid))).toEqual({ outcome: 'too-soon' });
    expect(await stateOf(jonas, ada.uid)).toMatchObject({ status: 'none', askFrom: 0 });
    await w.db
      .updateTable('music_pairs')
      .set({ declined_at_ms: w.clock.now() - 30 * dayMs - 1 })
      .where('asked_by', '=', ada.uid)
      .execute();
    expect(valueOf(await keep(ada, jonas.uid))).toEqual({ outcome: 'done' });
  });

  test.each([true, false])('a question that is over leaves the inbox with its answer %s', async (keeps) => {
    const ends = [
      (ada: Tab, jonas: Tab) => ada.ask('tunemates/remove', { uid: jonas.uid }),
      (ada: Tab) => ada.ask('rooms/keepHistory', { isKept: false }),
    ];
    for (const end of ends) {
      const { ada, jonas } = await pair();
      await keep(ada, jonas.uid);
      valueOf(await end(ada, jonas));
      await keep(jonas, ada.uid, keeps);
      expect(await inbox(jonas)).not.toContain('music');
    }
  });

  test('a blend has the reason at each track, and needs what both heard lately', async () => {
    const { ada, jonas, room } = await pair();
    await agree(ada, jonas);
    expect(valueOf(await ada.ask('music/blend', { uid: jonas.uid, seed: 3 }))).toEqual({ tracks: [] });
    for (const n of [5, 6, 7]) {
      await write(ada, room, { type: 'choose', track: trackOf(n) });
      await w.pass(20_000);
    }
    const { tracks } = valueOf(await ada.ask('music/blend', { uid: jonas.uid, seed: 3 }));
    expect(tracks.map(({ of }) => of)).toEqual(['both', 'both', 'both']);
  });

  test('a year counts all its tracks and shows the most heard, from an index of what counts', async () => {
    const { ada, jonas } = await pair();
    await agree(ada, jonas);
    const pair_id = pairIdOf(ada.uid, jonas.uid);
    const counted = { pair_id, until_ms: 1, room: 'audio:r', heard_ms: 90_000, is_counted: 1 };
    const heard = Array.from({ length: 25 }, (_, n) => Array<number>(1 + (n % 7)).fill(n)).flat();
    const listens = heard.map((n, at) => ({ ...counted, begun_at_ms: 1000 + at, track_id: idOf(n) }));
    const [first] = listens;
    const isShort = { ...counted, begun_at_ms: 900, track_id: idOf(30), is_counted: 0 };
    await w.db
      .insertInto('music_listens')
      .values([...listens, isShort])
      .execute();
    const tracks = Array.from({ length: 25 }, (_, n) => ({
      ...{ pair_id, track_id: idOf(n), track: JSON.stringify({ ...trackOf(n), videoId: idOf(n) }), times: 1 },
      ...{ first_at_ms: 1000, first_by: ada.uid },
    }));
    await w.db.insertInto('music_tracks').values(tracks).execute();
    statements.length = 0;
    const year = valueOf(await jonas.ask('music/year', { uid: ada.uid, year: { from: 0, until: 1_000_000 } }));
    expect(year).toMatchObject({ tracks: 25, found: { mine: 0, theirs: 25 } });
    expect(year.most.map(({ times }) => times)).toEqual([7, 7, 7, 6, 6, 6, 5, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2]);
    expect(await musicOf(ada, jonas.uid)).toMatchObject({ tracks: 25, first: { videoId: first?.track_id, at: 1000 } });
    if (dialect === 'postgres') return;
    const plansOf = (named: string) =>
      Promise.all(statements.filter((each) => each.includes(named)).map((each) => planOf(w.db, each)));
    const used = await plansOf('"music_listens"');
    expect(used.length).toBeGreaterThan(1);
    for (const plan of used) {
      expect(plan).toMatch(
        /USING (COVERING INDEX music_listens_by_track|INDEX sqlite_autoindex_music_listens_1) \(pair_id=\?/,
      );
      expect(plan).not.toContain('FOR GROUP BY');
    }
    expect(await plansOf('group by "first_by"')).toEqual([
      expect.stringContaining('USING COVERING INDEX music_tracks_by_first'),
    ]);
  });
});

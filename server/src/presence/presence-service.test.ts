import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '@tunemate/testkit/extent';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { valueOf, codeOf, newClientId } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { userStream, type Uid, type TabId } from '@tunemate/protocol';
import { callerOf, type Person } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { randomUUID } from 'node:crypto';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { Client } from 'pg';
import { createLog } from '../system/logging.ts';
import { presenceService } from './presence-service.ts';
import { openDatabase } from '../storage/database.ts';

/** Presence over sockets: online with the first tab, offline with the last, patient with short losses, never stuck. */
describeEachDialect('presence', (makeDatabaseUrl) => {
  async function connections(w: SocketWorld, { uid }: Person): Promise<number> {
    return (await w.db.selectFrom('connections').select('uid').where('uid', '=', uid).execute()).length;
  }

  async function inGracePeriod(w: SocketWorld, { uid }: Person): Promise<number> {
    const rows = w.db.selectFrom('connections').select('uid').where('uid', '=', uid);
    return (await rows.where('grace_until_ms', 'is not', null).execute()).length;
  }

  /** Ivo and Mara met in a room of hers and are both in it. */
  async function stage() {
    const databaseUrl = await makeDatabaseUrl();
    const w = await openSocketWorld({ databaseUrl });
    const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const room = await w.room(mara, 'audio');
    await w.letIn(mara, ivo, room);
    valueOf(await mara.ask('rooms/enter', room));
    valueOf(await ivo.ask('rooms/enter', room));
    return { w, databaseUrl, mara, ivo, room };
  }
  const inRoom = (tab: Tab, of: Person) =>
    tab
      .changes()
      .flatMap((each) => (each.type === 'rooms/participantPresence' && each.uid === of.uid ? [each.online] : []));

  test('of two tabs the first makes online and the last offline, for tunemates, the room and oneself (PRES-1)', async () => {
    const { w, mara, ivo } = await stage();
    const second = await w.connect(ivo);
    expect(second.snapshot.user.online).toBe(true);
    await w.leave(ivo);
    expect(await w.stateOf(ivo)).toBe('online');
    await w.leave(second);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    await expect.poll(() => inRoom(mara, ivo)).toEqual([false]);
    const back = await w.connect(ivo);
    await w.pass(5000);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline', 'online']);
    expect(back.snapshot.user.online).toBe(true);
    expect(back.snapshot.tunemates).toMatchObject([{ uid: mara.uid, presence: { state: 'online' } }]);
  });

  test('a lost connection is not shown for 40 s, and shown as offline after that (PRES-2)', async () => {
    const { w, mara, ivo } = await stage();
    ivo.cut();
    await expect.poll(() => inGracePeriod(w, ivo)).toBe(1);
    await w.pass(39_999);
    expect(await w.stateOf(ivo)).toBe('online');
    await w.pass(1);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
  });

  test('a person who reconnects within that time is never shown as offline (PRES-3)', async () => {
    const { w, mara, ivo } = await stage();
    ivo.cut();
    await expect.poll(() => inGracePeriod(w, ivo)).toBe(1);
    await w.pass(30_000);
    const back = await w.connect(ivo);
    await w.pass(30_000);
    expect(await w.stateOf(ivo)).toBe('online');
    await w.leave(back);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
  });

  test('after ten tabs connect and disconnect at once the state is that of the last one (PRES-4)', async () => {
    const { w, mara } = await stage();
    const ada = await w.person('Ada');
    const tabs = await Promise.all(Array.from({ length: 10 }, () => w.connect(ada)));
    tabs.slice(1).forEach((tab) => tab.leave());
    await expect.poll(() => inGracePeriod(w, ada)).toBe(9);
    await w.pass(5000);
    expect([await connections(w, ada), await w.stateOf(ada)]).toEqual([1, 'online']);
    if (tabs[0]) await w.leave(tabs[0]);
    expect(await w.stateOf(ada)).toBe('offline');
    expect(mara.statesShown(ada)).toEqual([]);
  });

  test('an end that could not be stored is stored as soon as the database is back', async () => {
    const { w, mara, ivo } = await stage();
    await sql`alter table connections rename to elsewhere`.execute(w.db);
    ivo.leave();
    await expect.poll(() => w.app.log.some(({ event }) => event === 'presence.end-not-stored')).toBe(true);
    await sql`alter table elsewhere rename to connections`.execute(w.db);
    await w.pass(0);
    await w.pass(5000);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
  });

  test('a person stored as online without a connection becomes offline (PRES-6)', async () => {
    const { w } = await stage();
    const ada = await w.person('Ada');
    await w.db
      .updateTable('users')
      .set({ online: 1, presence_changed_at_ms: w.clock.now() })
      .where('uid', '=', ada.uid)
      .execute();
    await w.pass(30_000);
    expect(await w.stateOf(ada)).toBe('online');
    await w.pass(31_000);
    expect(await w.stateOf(ada)).toBe('offline');
  });

  test('connections of a crashed server are reaped by the next one, and people who reconnected stay online (PRES-7)', async () => {
    const { w, databaseUrl, mara, ivo, room } = await stage();
    await w.close();
    const again = await openSocketWorld({ databaseUrl, clock: w.clock });
    // As after a crash: connections without a grace period, of a process that reported a moment ago.
    await again.db.updateTable('connections').set({ grace_until_ms: null }).execute();
    const { process_id } = await again.db.selectFrom('connections').select('process_id').executeTakeFirstOrThrow();
    await again.db.insertInto('processes').values({ process_id, seen_at_ms: again.clock.now(), facts: null }).execute();
    const back = await again.connect(mara);
    valueOf(await back.ask('rooms/enter', room));
    await again.pass(29_999);
    expect(await again.stateOf(ivo)).toBe('online');
    await again.pass(1);
    await expect.poll(() => back.statesShown(ivo)).toEqual(['offline']);
    expect(await again.stateOf(mara)).toBe('online');
  });

  test('a reload of the page is not shown', async () => {
    const { w, mara, ivo } = await stage();
    ivo.leave();
    await expect.poll(() => inGracePeriod(w, ivo)).toBe(1);
    await w.pass(1999);
    await w.connect(ivo);
    await w.pass(60_000);
    expect([await w.stateOf(ivo), mara.statesShown(ivo), inRoom(mara, ivo)]).toEqual(['online', [], []]);
  });

  test('a person who connects and disconnects all the time is published once in 5 s, with the state of that moment (PRES-16)', async () => {
    const { w, mara, ivo, room } = await stage();
    await w.leave(ivo);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    let tab = ivo;
    for (let times = 0; times < 10; times += 1) {
      tab = await w.connect(ivo);
      valueOf(await tab.ask('rooms/enter', room));
      tab.leave();
      await expect.poll(() => inGracePeriod(w, ivo)).toBe(times + 1);
    }
    tab = await w.connect(ivo);
    await w.pass(4999);
    expect([mara.statesShown(ivo), inRoom(mara, ivo)]).toEqual([['offline'], [false]]);
    await w.pass(1);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline', 'online']);
    await expect.poll(() => inRoom(mara, ivo)).toEqual([false, true]);
  });

  test('a change is sent once more, for tabs that were just opening', async () => {
    const { w, mara, ivo } = await stage();
    await w.leave(ivo);
    /** The changes sent so far: the answer to a request comes after them. */
    const sent = async () => {
      valueOf(await mara.ask('chats/list', {}));
      return mara.ephemeral.filter((each) => each.type === 'people/changed' && each.person.uid === ivo.uid);
    };
    const before = await sent();
    expect(before.at(-1)).toMatchObject({ person: { presence: { state: 'offline' } } });
    await w.pass(15_000);
    expect(await sent()).toEqual([...before, before.at(-1)]);
    await w.pass(15_000);
    await w.pass(15_000);
    expect(await sent()).toHaveLength(before.length + 1);
  });
});

/** How long a lost connection counts: from its last sign of life, however long it took to notice that it was lost. */
describeEachDialect('presence after a silence', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  let presence: ReturnType<typeof presenceService>;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
    presence = presenceService({
      record: world.record,
      clock: world.clock,
      log: createLog('silent'),
      processId: 'a-process',
      limitScale: 1,
      shownChanged: () => undefined,
      roomsOf: () => Promise.resolve(new Map()),
      occupancyChanged: () => Promise.resolve(),
      onlineChangedIn: () => undefined,
      mayHaveMoved: () => Promise.resolve(),
    });
    await presence.tick();
  });
  afterAll(() => world.close());

  const statesOf = async (uid: Uid) =>
    (await world.changesOf(uid)).flatMap((each) => (each.type === 'presence/changed' ? [each.presence.state] : []));

  async function pass(byMs: number): Promise<void> {
    world.clock.advance(byMs);
    await presence.tick();
  }

  test.each([
    [0, 40_000],
    [21_000, 19_000],
    [39_999, 1],
  ])('shows offline 40 s after the last sign of life, when %i ms of them are over', async (silentMs, leftMs) => {
    const uid = await world.addPerson();
    await presence.opened(callerOf(uid));
    await pass(60_000);
    await presence.closed(callerOf(uid), { type: 'lost', silentMs });
    await pass(leftMs - 1);
    expect(await statesOf(uid)).toEqual(['online']);
    await pass(1);
    expect(await statesOf(uid)).toEqual(['online', 'offline']);
  });

  test.each([40_000, 45_000])('shows offline at once after a silence of %i ms', async (silentMs) => {
    const uid = await world.addPerson();
    await presence.opened(callerOf(uid));
    await pass(60_000);
    await presence.closed(callerOf(uid), { type: 'lost', silentMs });
    expect(await statesOf(uid)).toEqual(['online', 'offline']);
    expect(await world.record.head(userStream(uid))).toBe(2);
  });
});

/** Ten tabs and devices a person, however many ask at the same moment and of whichever process. */
describeEachDialect('tabs of one person', (makeDatabaseUrl, dialect) => {
  test.each([
    [10, '1'],
    [20, '2'],
  ])(
    'of 30 connections at once %i stay at a scale of %s, over all processes, and a newer one takes the place of one of them (PRES-20)',
    async (most, scale) => {
      // Processes without Redis ask their database what others stored.
      const options = { databaseUrl: await makeDatabaseUrl(), env: { RATE_LIMIT_SCALE: scale }, isStill: false };
      const first = await openSocketWorld(options);
      const worlds =
        dialect === 'sqlite' ? [first] : [first, await openSocketWorld({ ...options, clock: first.clock })];
      const ada = await first.person('Ada');
      const opening = Array.from({ length: 30 }, async (_, n) => {
        const world = worlds[n % worlds.length] ?? first;
        return await world.connect(ada, randomUUID() as TabId);
      });
      const settled = await Promise.allSettled(opening);
      const tabs = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
      const open = () => tabs.filter(({ goodbyes }) => goodbyes.length === 0);
      await expect.poll(() => open().length).toBe(most);
      expect(refusals.filter((each) => !each.includes('session/elsewhere'))).toEqual([]);
      expect(await first.openTabs(ada)).toBe(most);
      for (const tab of open()) expect(codeOf(await tab.ask('chats/list', {}))).toBe('ok');
      const newest = await first.connect(ada);
      await expect.poll(() => open().length).toBe(most - 1);
      expect(codeOf(await newest.ask('chats/list', {}))).toBe('ok');
      const reasons = tabs.flatMap(({ goodbyes }) => goodbyes.map(({ code }) => code));
      expect(new Set(reasons)).toEqual(new Set(['session/elsewhere']));
      expect(await first.openTabs(ada)).toBe(most);
      await Promise.all(worlds.map((world) => world.close()));
    },
  );
});

describeWithService(
  'tabs that open behind others of their person',
  () => requestService('postgres'),
  ({ url }) => {
    test('those whose place newer tabs take before they are answered are let go', async () => {
      const database = await createDatabase(url);
      const world = await openSocketWorld({ databaseUrl: database.url, env: { RATE_LIMIT_SCALE: '1' } });
      const ada = await world.arrive('Ada');
      const admin = new Client({ connectionString: database.url });
      await admin.connect();
      await admin.query('begin');
      await admin.query('lock table private_messages in access exclusive mode');
      // The hellos of her other tabs are answered after it.
      const held = ada.ask('chats/open', { uid: (await world.person('Ivo')).uid }).catch(() => 'let go');
      const openTen = async () => {
        const tabIds = Array.from({ length: 10 }, () => randomUUID() as TabId);
        const opening = Promise.allSettled(tabIds.map((tabId) => world.connect(ada, tabId)));
        const rows = world.db.selectFrom('connections').select('uid').where('tab_id', 'in', tabIds);
        await expect.poll(async () => (await rows.execute()).length).toBe(10);
        return { opening };
      };
      const [older, newer] = [await openTen(), await openTen()];
      await admin.query('commit');
      await admin.end();
      await held;
      const codes = (await older.opening).map((each) => (each.status === 'rejected' ? String(each.reason) : 'open'));
      expect(new Set(codes)).toEqual(new Set(['Error: session/elsewhere']));
      expect(new Set((await newer.opening).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
      expect(await world.openTabs(ada)).toBe(10);
      await world.close();
      await database.drop();
    });
  },
);

/** A process loses its database while people are connected to it. */
describeWithService(
  'a process without its database',
  () => requestService('postgres'),
  ({ url }) => {
    test('sends everyone away, and they count as online for 40 s, as after any loss', async () => {
      const database = await createDatabase(url);
      const proxy = await startTcpFaultProxy({ targetPort: Number(new URL(url).port) });
      const proxied = new URL(database.url);
      proxied.port = String(proxy.port);
      const world = await openSocketWorld({ databaseUrl: proxied.href });
      const mara = await world.arrive('Mara');
      expect(await world.stateOf(mara)).toBe('online');

      proxy.close();
      await world.app.app.runBackground();
      await world.app.app.runBackground();
      expect(mara.goodbyes).toEqual([]);
      await world.app.app.runBackground();
      await expect.poll(() => mara.goodbyes).toEqual([{ code: 'server/unavailable' }]);
      await expect.poll(() => mara.socket.connected).toBe(false);

      proxy.reopen();
      // The end could not be stored at its time.
      await expect.poll(async () => (await world.app.app.runBackground(), await world.openTabs(mara))).toBe(0);
      await world.pass(30_000);
      expect(await world.stateOf(mara)).toBe('online');
      await world.pass(15_000);
      expect(await world.stateOf(mara)).toBe('offline');
      await world.close();
      await proxy.stop();
      await database.drop();
    });

    test('lets people come back and read while it takes no writes, and stores later who is there', async () => {
      const database = await createDatabase(url);
      const world = await openSocketWorld({ databaseUrl: database.url });
      const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
      const room = await world.roomWith(mara, 'video', ivo);
      const admin = new Client({ connectionString: database.url });
      await admin.connect();
      const takeWrites = async (isOn: boolean) => {
        const name = new URL(database.url).pathname.slice(1);
        await admin.query(`alter database ${name} set default_transaction_read_only = ${isOn ? 'off' : 'on'}`);
        const others = 'datname = current_database() and pid <> pg_backend_pid()';
        await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
      };
      await takeWrites(false);
      ivo.cut();
      // As a page: the first look at a connection that was ended fails.
      const again = await vi.waitFor(() => world.connect(ivo), { timeout: limits.node.poll });
      expect(codeOf(await again.ask('rooms/enter', room.room))).toBe('ok');
      const message = { ...room.room, clientId: newClientId(), text: 'hello' };
      expect(codeOf(await again.ask('rooms/sendMessage', message))).toBe('server/unavailable');

      await takeWrites(true);
      await expect.poll(async () => codeOf(await again.ask('rooms/sendMessage', message))).toBe('ok');
      // The end of the connection that was cut is noticed in its own time.
      await expect.poll(async () => (await world.app.app.runBackground(), await world.openTabs(ivo))).toBe(1);
      await admin.end();
      await world.close();
      await database.drop();
    });
  },
);

/** Many people who see each other connect at once: PostgreSQL never has to resolve a deadlock. */
describe('mutual arrival', () => {
  const friends = 50;
  const hosts = 20;

  /** Everyone is on everyone's list, and the first 20 have a room of their own. */
  async function peopleOf(w: SocketWorld) {
    const people = await Promise.all(Array.from({ length: friends }, (_, n) => w.person(`Friend ${String(n)}`)));
    const askers = await Promise.all(Array.from({ length: hosts }, (_, n) => w.arrive(`Asker ${String(n)}`)));
    const entries = people.flatMap(({ uid }) =>
      people
        .filter((mate) => mate.uid !== uid)
        .map((mate, position) => ({ uid, mate: mate.uid, added_at_ms: 0, position: position + 1 })),
    );
    await w.db.insertInto('tunemates').values(entries).execute();
    const rooms = [];
    for (const host of people.slice(0, hosts)) {
      const tab = await w.connect(host);
      rooms.push(await w.room(tab, 'video'));
      await w.leave(tab);
    }
    return { people, askers, rooms };
  }

  /** Counted by the server since the database was made; up to date once its connections have ended. */
  async function deadlocksOf(adminUrl: string, databaseUrl: string): Promise<number> {
    const admin = openDatabase(adminUrl);
    const name = new URL(databaseUrl).pathname.slice(1);
    const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = ${name}`.execute(admin.db);
    await admin.close();
    return rows[0]?.deadlocks ?? Number.NaN;
  }

  describeWithService(
    'arriving together on PostgreSQL',
    () => requestService('postgres'),
    ({ url }) => {
      test('50 tunemates connect at once and 20 ask to join their rooms: no deadlock, no refusal', async () => {
        const database = await createDatabase(url);
        const w = await openSocketWorld({ databaseUrl: database.url });
        const { people, askers, rooms } = await peopleOf(w);
        const startedAt = performance.now();
        const arrive = (person: Person) =>
          w.connect(person, randomUUID() as TabId).then(
            () => 'ok',
            (error: unknown) => String(error),
          );
        const arrivals = people.map(arrive);
        const asks = askers.map((asker, n) => asker.ask('rooms/askToJoin', rooms[n] ?? { kind: 'video', code: '' }));
        const hellos = await Promise.all(arrivals);
        const answers = (await Promise.all(asks)).map(codeOf);
        process.stdout.write(
          `${String(friends)} arrivals in ${String(Math.round(performance.now() - startedAt))} ms\n`,
        );
        await w.close();
        expect({ hellos: new Set(hellos), answers: new Set(answers) }).toEqual({
          hellos: new Set(['ok']),
          answers: new Set(['ok']),
        });
        expect(await deadlocksOf(url, database.url)).toBe(0);
        await database.drop();
      });
    },
  );
});

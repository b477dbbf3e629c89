/** The statements of connecting, disconnecting and renaming: the same with three watchers and with three hundred. */
import type { Uid } from '@tunemate/protocol';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { insertUsers, type Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

describeEachDialect('the cost of being seen', (makeDatabaseUrl, dialect) => {
  /** A person on the lists of many, one of whom is here; half of them have a chat with them as well. */
  async function watchedBy(w: SocketWorld, count: number): Promise<{ seen: Person; watcher: Tab }> {
    const [seen, watcher] = [await w.person('Ada'), await w.arrive('Bob')];
    const mates = Array.from({ length: count }, (_, n) => (n === 0 ? watcher.uid : newUid()));
    const { uid } = seen;
    const others = mates.slice(1).map((mate) => ({ uid: mate, name: 'Somebody', nowMs: 0 }));
    await insertUsers(w.db, others);
    const lists = mates.map((mate) => ({ uid: mate, mate: uid, added_at_ms: 0, position: 1 }));
    await w.db.insertInto('tunemates').values(lists).execute();
    const chats = mates.slice(count / 2).map((other) => {
      return { uid, other, pair_id: `${uid}_${other}`, last_number: 1, last_at_ms: 1, started_at_ms: 1 };
    });
    await w.db.insertInto('conversations').values(chats).execute();
    return { seen, watcher };
  }

  let made = 0;
  const newUid = () => String((made += 1)).padStart(22, '0') as Uid;

  test('come, go and rename take as many statements with 300 watchers as with 3', async () => {
    const statements: string[] = [];
    const w = await openSocketWorld({
      databaseUrl: await makeDatabaseUrl(),
      onStatement: (statement) => statements.push(statement),
    });

    /** What `act` costs until `isDelivered` and nothing more is asked of the database. */
    async function costOf(act: () => Promise<unknown>, isDelivered: () => Promise<unknown>): Promise<number> {
      statements.length = 0;
      await act();
      await isDelivered();
      let before = -1;
      const isQuiet = () => before === (before = statements.length);
      await expect.poll(isQuiet, { interval: 40 }).toBe(true);
      return statements.length;
    }

    async function costsWith(count: number) {
      const { seen, watcher } = await watchedBy(w, count);
      const rounds = { come: [] as number[], rename: [] as number[], go: [] as number[] };
      for (let round = 0; round < 5; round += 1) {
        w.clock.advance(60_000);
        const person = await w.signIn(seen);
        const visitor = w.app.visitor();
        visitor.setCookie(person.cookie);
        const name = `Ada ${String(round)}`;
        const last = () =>
          watcher.ephemeral.findLast((each) => each.type === 'people/changed' && each.person.uid === seen.uid);
        const isDelivered = (sent: object) => () => expect.poll(last).toMatchObject({ person: sent });
        const isShown = (state: 'online' | 'offline') => isDelivered({ presence: { state } });
        rounds.come.push(await costOf(() => w.connect(person), isShown('online')));
        rounds.rename.push(await costOf(() => visitor.call('PATCH /api/accounts/me', { name }), isDelivered({ name })));
        w.clock.advance(60_000);
        // Shown at once, because no page can be about to load anew.
        rounds.go.push(await costOf(() => visitor.call('POST /api/accounts/sign-out', {}), isShown('offline')));
      }
      // What returns by itself may add to a round; the least is what the act itself costs.
      return Object.fromEntries(Object.entries(rounds).map(([act, costs]) => [act, Math.min(...costs)]));
    }

    const few = await costsWith(3);
    const many = await costsWith(300);
    process.stdout.write(`statements with 3 watchers ${JSON.stringify(few)}, with 300 ${JSON.stringify(many)}\n`);
    expect(many).toEqual(few);
  });

  test('who is online and which deleted account is to be cleared is asked of indexes, however many people there are', async () => {
    const statements = new Set<string>();
    const w = await openSocketWorld({
      databaseUrl: await makeDatabaseUrl(),
      onStatement: (statement) => statements.add(statement),
    });
    await w.app.app.runBackground();
    await w.app.visitor().fetch('/metrics');
    const asked = [...statements].filter((each) => / from "users" where "(?:online|must_clear)" = /.test(each));
    const plans = await w.db.connection().execute(async (db) => {
      const run = (text: string) => db.executeQuery(CompiledQuery.raw(text));
      // Of a table as small as this PostgreSQL rightly reads all; the question is whether it need not.
      if (dialect === 'postgres') await run('set enable_seqscan = off');
      const explain = dialect === 'postgres' ? 'explain' : 'explain query plan';
      const found: string[] = [];
      for (const each of asked) {
        const { rows } = await run(`${explain} ${each.replaceAll(/\$\d+|\?/g, '0')}`);
        found.push(/users_online|users_to_clear/.exec(JSON.stringify(rows))?.[0] ?? each);
      }
      return found;
    });
    expect(plans.sort()).toEqual(['users_online', 'users_online', 'users_to_clear']);
  });
});

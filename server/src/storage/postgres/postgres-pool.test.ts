/**
 * Connections to PostgreSQL break while people write: the server goes on, refuses with a retry, and a repeated request
 * is applied once.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, makePeople, openLine, type Member } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { startTcpFaultProxy, type TcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { asFailure, isTransient } from '../failures.ts';
import { openPostgresPool } from './postgres-pool.ts';

const pairs = 4;
const disturbances = 24;

interface Message {
  clientId: string;
  text: string;
}

/** Sends one message after the other, each under one client id until it is acknowledged. */
class Writer {
  readonly person: Person;
  readonly sent: Message[] = [];
  readonly refusals = new Set<string>();
  acknowledged = 0;
  #member: Member | null = null;
  readonly #url: string;
  readonly #send: (member: Member, message: Message) => Promise<unknown>;

  constructor(url: string, person: Person, send: (member: Member, message: Message) => Promise<unknown>) {
    this.#url = url;
    this.person = person;
    this.#send = send;
  }

  async write(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const message = { clientId: randomUUID(), text: `${this.person.name} ${String(this.sent.length)}` };
      this.sent.push(message);
      while (!(await this.#tried(message))) await pause(20);
      this.acknowledged += 1;
    }
    this.#member?.line.disconnect();
  }

  async #tried(message: Message): Promise<boolean> {
    try {
      if (!this.#member?.line.connected) {
        this.#member = null;
        this.#member = await connect(this.#url, this.person);
      }
      await this.#send(this.#member, message);
      return true;
    } catch (error) {
      const said = error instanceof Error ? error.message.replace(/^[\w/]+: /, '') : String(error);
      // A server that was without its database for several looks sends everyone away, with what they asked for.
      this.refusals.add((said === 'cut off' && this.#member?.line.goodbye?.code) || said);
      return false;
    }
  }
}

const sum = (writers: readonly Writer[]): number => writers.reduce((total, each) => total + each.acknowledged, 0);

/** Ends about half of the server's connections from the side of the database. */
async function terminateSome(databaseUrl: string, share: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and random() < $1`,
    [share],
  );
  await client.end();
}

async function disturb(proxy: TcpFaultProxy, databaseUrl: string, random: () => number): Promise<void> {
  const dice = random();
  if (dice < 0.4) return await terminateSome(databaseUrl, 0.2 + 0.8 * random());
  if (dice < 0.7) return proxy.cut();
  proxy.stall();
  await pause(100 + 200 * random());
  if (dice < 0.85) proxy.cut();
  proxy.resume();
}

async function withServer(
  run: (world: { server: ServerProcess; proxy: TcpFaultProxy; databaseUrl: string; people: Person[] }) => Promise<void>,
): Promise<void> {
  const database = await createDatabase((await requestService('postgres')).url);
  const people = await makePeople(database.url, pairs * 2);
  await makeTunemates(
    database.url,
    people.flatMap((person, index) => (index % 2 === 0 ? [[person, people[index + 1] ?? person] as const] : [])),
  );
  const proxy = await startTcpFaultProxy({ targetPort: Number(new URL(database.url).port) });
  const proxied = new URL(database.url);
  proxied.port = String(proxy.port);
  const server = await startServerProcess({
    env: { DATABASE_URL: proxied.href, RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' },
  });
  try {
    await run({ server, proxy, databaseUrl: database.url, people });
    // Nothing of what happened may look like a bug to the operator.
    expect(server.log().match(/^.*"level":50.*$/m)?.[0]).toBeUndefined();
  } finally {
    await server.dispose();
    await proxy.stop();
    await database.drop();
  }
}

/** A room of the first person with everyone as a member. */
async function roomOf(url: string, people: readonly Person[]) {
  const [host, ...guests] = (await Promise.all(people.map((person) => connect(url, person)))) as [Member, ...Member[]];
  const { code } = await host.ask('rooms/create', { clientId: randomUUID(), kind: 'video', name: 'Kitchen Radio' });
  const room = { kind: 'video' as const, code };
  for (const guest of guests) {
    await guest.ask('rooms/askToJoin', room);
    await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
  }
  for (const { line } of [host, ...guests]) line.disconnect();
  return room;
}

async function storedTexts(databaseUrl: string) {
  const { db, close } = openDatabase(databaseUrl);
  const privately = await db
    .selectFrom('private_messages')
    .select(['sender as uid', 'text'])
    .orderBy('number')
    .execute();
  const inRoom = await db.selectFrom('room_chat').select(['sender as uid', 'text']).orderBy('number').execute();
  await close();
  return { privately, inRoom };
}

describeWithService(
  'database lines that break',
  () => requestService('postgres'),
  () => {
    test('when database connections are cut, ended or stalled no message is lost, and requests get server/unavailable (PROC-1)', async () => {
      await withServer(async ({ server, proxy, databaseUrl, people }) => {
        const room = await roomOf(server.url, people);
        const toOther = people.map((person, index) => {
          const { uid } = people[index ^ 1] ?? person;
          return new Writer(server.url, person, (member, message) => member.ask('chats/send', { ...message, uid }));
        });
        const toRoom = people.map(
          (person) =>
            new Writer(server.url, person, (member, message) =>
              member.ask('rooms/sendMessage', { ...room, ...message }),
            ),
        );
        const writers = [...toOther, ...toRoom];
        let isOver = false;
        const writing = Promise.all(writers.map((writer) => writer.write(() => isOver)));
        const random = seededRandom(9);
        for (let n = 0; n < disturbances; n += 1) {
          await disturb(proxy, databaseUrl, random);
          const before = sum(writers);
          await expect.poll(() => sum(writers), { interval: 10 }).toBeGreaterThan(before + pairs);
        }
        isOver = true;
        await writing;

        const refusals = new Set(writers.flatMap((writer) => [...writer.refusals]));
        expect([...refusals]).toEqual(['server/unavailable']);
        const stored = await storedTexts(databaseUrl);
        for (const [rows, group] of [
          [stored.privately, toOther],
          [stored.inRoom, toRoom],
        ] as const) {
          for (const { person, sent } of group) {
            const own = rows.filter(({ uid }) => uid === person.uid).map(({ text }) => text);
            expect(own).toEqual(sent.map(({ text }) => text));
          }
        }
      });
    }, 120_000);

    test('while the database is unreachable HTTP, hello and requests answer server/unavailable, and work again after that (PROC-2)', async () => {
      await withServer(async ({ server, proxy, people }) => {
        const [mara, theo] = people as [Person, Person];
        const member = await connect(server.url, mara);
        const address = `${server.url}/api/accounts/sessions`;
        const overHttp = async () => {
          const response = await fetch(address, { headers: { cookie: mara.cookie } });
          return { status: response.status, body: (await response.json()) as unknown };
        };
        expect((await overHttp()).status).toBe(200);

        const lateHello = await openLine(server.url, theo);
        proxy.close();
        expect(await overHttp()).toEqual({ status: 503, body: { ok: false, error: { code: 'server/unavailable' } } });
        await expect(lateHello.hello()).rejects.toThrow('session/hello: server/unavailable');
        await expect(connect(server.url, theo)).rejects.toThrow('server/unavailable');
        // A request that only reads, and one that writes.
        await expect(member.ask('chats/list', {})).rejects.toThrow('server/unavailable');
        const message = { clientId: randomUUID(), uid: theo.uid, text: 'hello' };
        await expect(member.ask('chats/send', message)).rejects.toThrow('server/unavailable');
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

        proxy.reopen();
        await expect.poll(() => overHttp().then(({ status }) => status)).toBe(200);
        await member.ask('chats/send', message);
        const back = await connect(server.url, theo);
        for (const { line } of [member, back]) line.disconnect();
      });
    });

    test('a database connection that stops responding is dropped, and the next query gets a new one', async () => {
      const database = await createDatabase((await requestService('postgres')).url);
      const proxy = await startTcpFaultProxy({ targetPort: Number(new URL(database.url).port) });
      const proxied = new URL(database.url);
      proxied.port = String(proxy.port);
      const { pool, patiently } = openPostgresPool(proxied.href, { heldAtMostMs: 300 });
      // Work that may take long is left alone. On a busy machine that may be any.
      await patiently(() => pool.query('select 1'));
      await patiently(() => pool.query('select pg_sleep(0.6)'));
      proxy.stall();
      await expect(pool.query('select 1').catch(asFailure)).resolves.toMatchObject({ code: 'server/unavailable' });
      proxy.resume();
      const next = await patiently(() => pool.query<{ one: number }>('select 1 as one'));
      expect(next.rows).toEqual([{ one: 1 }]);
      await pool.end();
      await proxy.stop();
      await database.drop();
    });

    test('of a query that was given up while it waited for a lock nothing is left in the database', async () => {
      const database = await createDatabase((await requestService('postgres')).url);
      const client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query('create table locked (n int)');
      await client.query('begin');
      await client.query('lock table locked in access exclusive mode');
      const { pool, patiently } = openPostgresPool(database.url, { heldAtMostMs: 300 });
      await expect(pool.query('select n from locked').catch(asFailure)).resolves.toMatchObject({
        code: 'server/unavailable',
      });
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await patiently(() => pool.query(waiting))).rowCount).toBe(0);
      await client.end();
      await pool.end();
      await database.drop();
    });

    test('a statement that recurs is prepared once on a connection, long lists and word searches are not', async () => {
      const database = await createDatabase((await requestService('postgres')).url);
      const { pool } = openPostgresPool(database.url);
      const client = await pool.connect();
      for (const value of [1, 2, 3]) {
        expect((await client.query('select $1::int as value', [value])).rows).toEqual([{ value }]);
        const list = Array.from({ length: 21 }, (_, n) => n + value);
        const places = list.map((_, n) => `$${String(n + 1)}::int`).join(', ');
        expect((await client.query(`select 1 where 21 in (${places})`, list)).rows).toHaveLength(1);
        await client.query("select to_tsvector('simple', 'rain') @@ to_tsquery('simple', $1)", ['rain']);
        // One that fails is prepared the next time.
        await expect(client.query('select 1 / $1::int as half', [0])).rejects.toThrow('zero');
        expect((await client.query('select 1 / $1::int as half', [1])).rows).toEqual([{ half: 1 }]);
      }
      // Lists of all lengths leave room for other statements.
      for (let length = 1; length <= 20; length += 1) {
        const values = Array.from({ length }, (_, n) => n);
        const places = values.map((n) => `$${String(n + 1)}`).join(', ');
        await client.query(`select 'list' where 1 in (${places})`, values);
        await client.query(`values ${values.map((n) => `($${String(n + 1)}::int, 'rows')`).join(', ')}`, values);
      }
      for (let n = 0; n < 300; n += 1) await client.query(`select ${String(n)} + $1::int`, [n]);
      const prepared = await client.query<{ statement: string }>('select statement from pg_prepared_statements');
      const statements = prepared.rows.map(({ statement }) => statement);
      expect(statements).toHaveLength(200);
      expect(['list', 'rows'].map((of) => statements.filter((each) => each.includes(`'${of}'`)).length)).toEqual([
        3, 3,
      ]);
      expect(statements.filter((each) => !/\+|'list'|'rows'/u.test(each)).toSorted()).toEqual([
        'select $1::int as value',
        'select 1 / $1::int as half',
      ]);
      client.release();
      await pool.end();
      await database.drop();
    });

    test('a newer version that adds a column breaks no prepared statement, alone or within a write (PROC-1)', async () => {
      const database = await createDatabase((await requestService('postgres')).url);
      const { pool } = openPostgresPool(database.url);
      const { pool: newer } = openPostgresPool(database.url);
      const [one, two] = await Promise.all([pool.connect(), pool.connect()]);
      await newer.query('create table shelf (number int, title text)');
      const read = async (client: typeof one, number: number) =>
        (await client.query('select * from shelf where number >= $1', [number])).rows;
      const write = async (client: typeof one, number: number) =>
        await client.query('insert into shelf (number) values ($1) returning *', [number]);
      for (const client of [one, two]) {
        await read(client, 0);
        await write(client, 1);
      }
      const inTransaction = async () => {
        await two.query('begin');
        const rows = await read(two, 0).catch((error: unknown) => error);
        await two.query('rollback');
        return rows;
      };
      await newer.query('alter table shelf add column colour text');
      // Nothing of the transaction was stored, and the record runs it again.
      expect(isTransient(await inTransaction())).toBe(true);
      expect(await inTransaction()).toHaveLength(2);
      await newer.query('alter table shelf add column height int');
      // Outside a transaction the statement itself is repeated.
      expect(await read(two, 0)).toHaveLength(2);
      await write(two, 1);
      await newer.query('alter table shelf add column width int');
      // Refused before it did anything: it is stored once.
      await write(two, 2);
      expect(await read(two, 2)).toHaveLength(1);
      for (const client of [one, two]) client.release();
      await Promise.all([pool.end(), newer.end()]);
      await database.drop();
    });

    test('what a broken server process holds locked in the database is free again for the others', async () => {
      const database = await createDatabase((await requestService('postgres')).url);
      const { pool } = openPostgresPool(database.url);
      const { rows } = await pool.query<{ ms: string }>(
        "select setting as ms from pg_settings where name = 'idle_in_transaction_session_timeout'",
      );
      expect(Number(rows[0]?.ms)).toBeGreaterThan(0);
      await pool.end();
      await database.drop();
    });
  },
);

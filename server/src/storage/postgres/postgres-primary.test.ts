/** Two real databases, of which one copies the other: the primary dies or is replaced while people write. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, makePeople, type Member } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import {
  createDatabase,
  startPostgres,
  startStandby,
  type TestPostgres,
  urlOfBoth,
} from '@tunemate/testkit/services/postgres';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { databaseUrlsOf } from '../../system/private-hosts.ts';
import { primaryOf } from './postgres-primary.ts';

async function onServer(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(statement);
  await client.end();
  return rows;
}

const follow = (primary: TestPostgres) =>
  expect
    .poll(() => onServer(primary.url, 'select sync_state from pg_stat_replication'))
    .toEqual([{ sync_state: 'sync' }]);

/** One sends the other messages, each until it is acknowledged. */
class Writer {
  readonly acknowledged: string[] = [];
  readonly refusals = new Set<string>();
  readonly #ended = new AbortController();
  readonly #done: Promise<void>;

  constructor(url: string, from: Person, to: Person) {
    this.#done = this.#write(url, from, to);
  }

  async #write(url: string, from: Person, to: Person): Promise<void> {
    let member: Member | null = null;
    while (!this.#ended.signal.aborted) {
      const text = `message ${String(this.acknowledged.length)}`;
      const message = { clientId: randomUUID(), uid: to.uid, text };
      for (let isStored = false; !isStored;) {
        try {
          if (member?.line.connected !== true) {
            member = null;
            member = await connect(url, from);
          }
          await member.ask('chats/send', message);
          isStored = true;
        } catch (error) {
          // A server that was without its database for several looks sends everyone away, with what they asked for.
          this.refusals.add(
            String(error) === 'Error: cut off' ? (member?.line.goodbye?.code ?? 'cut off') : String(error),
          );
          await pause(20);
        }
      }
      this.acknowledged.push(text);
    }
    member?.line.disconnect();
  }

  async more(messages: number): Promise<void> {
    const before = this.acknowledged.length;
    await expect.poll(() => this.acknowledged.length).toBeGreaterThan(before + messages);
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#done;
  }
}

async function storedIn(databaseUrl: string): Promise<string[]> {
  const { db, close } = openDatabase(databaseUrl);
  const rows = await db.selectFrom('private_messages').select('text').orderBy('number').execute();
  await close();
  return rows.map(({ text }) => text ?? '');
}

const onPort = (databaseUrl: string, port: string) => Object.assign(new URL(databaseUrl), { port }).href;

async function startPair() {
  const first = await startPostgres({ durable: true });
  const second = await startStandby(first);
  return { first, second, stop: () => Promise.all([first.stop(), second.stop()]).then(() => undefined) };
}

describeWithService('a primary and its standby', startPair, ({ first, second }) => {
  test('the server goes on with the promoted standby, back to the first one, and loses no message', async () => {
    await using stops = new AsyncDisposableStack();
    const database = await createDatabase(first.url);
    const [mara, theo] = (await makePeople(database.url, 2)) as [Person, Person];
    await makeTunemates(database.url, [[mara, theo]]);
    await follow(first);
    const server = await startServerProcess({
      env: { DATABASE_URL: urlOfBoth(database.url, second), RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' },
    });
    stops.defer(() => server.dispose());
    const writer = new Writer(server.url, mara, theo);
    stops.defer(() => writer.end());
    await writer.more(20);

    await first.crash();
    await second.promote();
    await writer.more(20);

    // The one that died comes back as the standby of the other, from a new copy.
    const { port } = new URL(first.url);
    const again = await startStandby(second, Number(port));
    stops.defer(() => again.stop());
    await follow(second);
    await writer.more(20);

    // As where the two lose each other: the one before still takes connections, and its commits wait for its standby.
    await again.promote();
    await writer.more(20);
    await writer.end();
    expect(await storedIn(database.url)).toEqual(writer.acknowledged);
    // But for commits that wait for a standby, which notice nothing.
    const left = `select from pg_stat_activity where datname is not null and backend_type = 'client backend'
      and wait_event is distinct from 'SyncRep' and pid <> pg_backend_pid()`;
    await expect.poll(() => onServer(second.url, left)).toEqual([]);
    expect(server.log()).not.toMatch(/"level":50/u);
    expect([...writer.refusals].filter((refusal) => !refusal.includes('server/unavailable'))).toEqual([]);
    expect(await primaryOf(databaseUrlsOf(urlOfBoth(onPort(database.url, port), second)))).toContain(`:${port}/`);
  }, 240_000);
});

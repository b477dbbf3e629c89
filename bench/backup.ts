/**
 * How long a write waits while a backup is made of a database with a million messages, on SQLite, and whether what is
 * restored from it is whole. Two people write to each other all the time, first without a backup and then beside it.
 * Writes results/backup.md; ends with 1 when a write waited too long or something is missing.
 * Usage: npm run bench -- backup [messages]
 */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pairId } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, makePeople, type Member } from '@tunemate/testkit/worlds/crowd';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import { operateProgram } from '@tunemate/testkit/services/operate';
import { inShort } from '@tunemate/testkit/faults/logged';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { sql } from 'kysely';
import { openDatabase } from '../server/src/storage/database.ts';

const messages = Number(process.argv[2] ?? 1_000_000);
const pairs = 100;
const goalMs = 200;
const quietMs = 20_000;
/** Between two messages of one writer. */
const betweenMs = 10;

/** Conversations of one person with many others, as if they had been written. */
async function fill(url: string): Promise<void> {
  const database = openDatabase(url);
  const { db } = database;
  const me = await insertUser(db, { name: 'Writer', nowMs: 0 });
  const perPair = Math.ceil(messages / pairs);
  for (let n = 0; n < pairs; n += 1) {
    const other = await insertUser(db, { name: `Friend ${String(n)}`, nowMs: 0 });
    const pair = pairId.parse([me, other].toSorted().join('_'));
    await sql`
      insert into private_messages (pair_id, number, client_id, sender, text, image, timestamp_ms)
      with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${sql.lit(perPair)})
      select ${pair}, number, ${`${String(n)}-`} || number, ${me}, 'a message of ordinary length, as people write them', null, number * 1000
      from numbers`.execute(db);
    const row = { pair_id: pair, last_number: perPair, last_at_ms: perPair * 1000 + n, started_at_ms: 0 };
    const sides = [
      { ...row, uid: me, other },
      { ...row, uid: other, other: me },
    ];
    await db.insertInto('conversations').values(sides).execute();
  }
  await database.close();
}

/** How often a write was refused because the database was busy; its page sends it again, and its wait goes on. */
let refusals = 0;

async function sendUntilTaken(from: Member, message: Parameters<typeof from.ask<'chats/send'>>[1]): Promise<void> {
  for (;;) {
    try {
      return void (await from.ask('chats/send', message));
    } catch (error) {
      if (!String(error).includes('server/unavailable')) throw error;
      refusals += 1;
      console.log(server.log().split('\n').filter(Boolean).slice(-3).map(inShort).join('\n'));
      await pause(betweenMs);
    }
  }
}

/** Two people who write to each other until they are stopped. */
function writers(members: readonly Member[]) {
  let isWriting = true;
  let waits: number[] = [];
  const acknowledged = new Set<string>();
  async function write(from: Member, to: Member): Promise<void> {
    while (isWriting) {
      const clientId = newClientId();
      const startedMs = performance.now();
      await sendUntilTaken(from, { clientId, uid: to.person.uid, text: 'one more' });
      waits.push(performance.now() - startedMs);
      acknowledged.add(clientId);
      await pause(betweenMs);
    }
  }
  const [one, two] = members as readonly [Member, Member];
  const done = Promise.all([write(one, two), write(two, one)]);
  return {
    acknowledged,
    /** The waits since the last call. */
    takeWaits(): number[] {
      const taken = waits;
      waits = [];
      return taken;
    },
    async stop(): Promise<void> {
      isWriting = false;
      await done;
    },
  };
}

async function restored(path: string): Promise<{ check: string; kept: Set<string> }> {
  const { db, close } = openDatabase(`sqlite:${path}`);
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  const kept = await db.selectFrom('private_messages').select('client_id').execute();
  await close();
  return { check: rows[0]?.integrity_check ?? 'no answer', kept: new Set(kept.map((row) => row.client_id)) };
}

await using dir = await makeTempDir('bench-backup');
const [data, target] = [join(dir.path, 'data'), join(dir.path, 'restored')];
await mkdir(data);
await mkdir(target);
const database = join(data, 'tunemate.sqlite');
const url = `sqlite:${database}`;
const people = await makePeople(url, 2);
const [ada, ben] = people;
if (!ada || !ben) throw new Error('nobody');
await makeTunemates(url, [[ada, ben]]);
await fill(url);
const megabytes = (await stat(database)).size / 1e6;

const server = await startServerProcess({ dataDir: data, env: { RATE_LIMIT_SCALE: '0' } });
const writing = writers(await Promise.all(people.map((person) => connect(server.url, person))));
await pause(2000);
writing.takeWaits();
await pause(quietMs);
const quiet = writing.takeWaits();

const backup = join(dir.path, 'backup.tar.gz');
const before = new Set(writing.acknowledged);
const startedMs = performance.now();
const made = await operateProgram(['backup', backup], { DATA_DIR: data });
const tookMs = performance.now() - startedMs;
const during = writing.takeWaits();
await writing.stop();
await server.dispose();
if (made.exitCode !== 0) throw new Error(made.said);

const restoredFromMs = performance.now();
const back = await operateProgram(['restore', backup], { DATA_DIR: target });
const restoreMs = performance.now() - restoredFromMs;
if (back.exitCode !== 0) throw new Error(back.said);
const { check, kept } = await restored(join(target, 'tunemate.sqlite'));
const missing = [...before].filter((clientId) => !kept.has(clientId)).length;

const longest = Math.max(...during);
const isGood = longest <= goalMs && refusals === 0 && missing === 0 && check === 'ok' && kept.size >= messages;
const ms = (value: number) => `${value.toFixed(1)} ms`;
const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`;
const row = (what: string, waits: readonly number[]) =>
  `| ${what} | ${String(waits.length)} | ${ms(percentile(waits, 0.5))} | ${ms(percentile(waits, 0.99))} | ${ms(Math.max(...waits))} |`;
const report = `# A backup beside writers

\`npm run bench -- backup\`

SQLite with ${String(messages)} messages (${megabytes.toFixed(0)} MB). Two people write to each other, each with ${String(betweenMs)} ms between an answer and the next
message; each commit waits for the disk. Server, writers and backup share 2 cores; load average ${loadavg()[1]?.toFixed(0) ?? ''}.

| while | writes | half within | 99 % within | longest (goal: ${String(goalMs)} ms) |
| --- | --- | --- | --- | --- |
${row('nothing else happens', quiet)}
${row('`npm run backup` runs', during)}

| figure | value | goal |
| --- | --- | --- |
| writes refused for the moment, and sent again | ${String(refusals)} | 0 |
| the backup took | ${seconds(tookMs)}, ${((await stat(backup)).size / 1e6).toFixed(0)} MB | |
| the restore took | ${seconds(restoreMs)} | |
| messages in what was restored | ${String(kept.size)} | at least ${String(messages)} |
| of ${String(before.size)} acknowledged before the backup began, missing | ${String(missing)} | 0 |
| integrity check of what was restored | ${check} | ok |
`;
await writeFile(join(import.meta.dirname, 'results', 'backup.md'), report);
console.log(report);
process.exitCode = isGood ? 0 : 1;

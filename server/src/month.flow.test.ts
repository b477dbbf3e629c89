/** A month in the life of a house in a minute: its laptop sleeps, and its clock is set again and again. */
import { join } from 'node:path';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { coversEverything } from '@tunemate/testkit/extent';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { emailOf, goodPassword } from '@tunemate/testkit/worlds/test-app';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { backUp } from './operator/backup.ts';

const hourMs = 60 * 60 * 1000;
const stepHours = 4;
const days = 33;

/** What the clock of the machine is set by in the morning of a day, in hours; both summer times of one that keeps local time. */
const setBy: Readonly<Record<number, number>> = { 4: -1, 7: 1, 10: 24, 13: -24, 17: -1, 20: 1 };
/** The laptop sleeps through the day. */
const asleepOn = new Set([6, 15, 16, 27]);
const startedOn = new Set([12, 14, 25]);
const backedUpOn = new Set([5, 12, 19, 26]);

async function countsOf({ db }: SocketWorld) {
  const count = async (table: string) => {
    const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    return Number(rows[0]?.n);
  };
  const tables = ['private_messages', 'stream_entries', 'idempotency', 'mails', 'action_codes', 'ended_rooms', 'rooms'];
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)] as const)));
}

const timesOf = async ({ db }: SocketWorld) => {
  const rows = await db.selectFrom('private_messages').select(['text', 'timestamp_ms']).orderBy('number').execute();
  return rows.map(({ text, timestamp_ms: atMs }) => ({ text, atMs }));
};

const errorsOf = ({ app }: SocketWorld) => app.log.filter(({ level }) => level === 'error');

/** Two become tunemates in a room. */
async function meet(w: SocketWorld): Promise<readonly [Person, Person]> {
  const [hers, his] = [await w.arrive('Mara'), await w.arrive('Theo')];
  const { room } = await w.roomWith(hers, 'audio', his);
  valueOf(await hers.ask('tunemates/ask', { ...room, clientId: newClientId(), uid: his.uid }));
  valueOf(await his.ask('tunemates/ask', { ...room, clientId: newClientId(), uid: hers.uid }));
  valueOf(await hers.ask('rooms/leave', { ...room, ends: true }));
  for (const tab of [hers, his]) await w.leave(tab);
  return [hers, his];
}

/** An evening: both come, write one message each, and one opens a room and ends it. */
async function evening(w: SocketWorld, [mara, theo]: readonly [Person, Person], day: number): Promise<void> {
  const [hers, his] = [await w.connect(mara), await w.connect(theo)];
  for (const [tab, other] of [
    [hers, theo],
    [his, mara],
  ] as const) {
    const text = `${tab.name} on day ${String(day)}`;
    valueOf(await tab.ask('chats/send', { clientId: newClientId(), uid: other.uid, text }));
  }
  const { room } = await w.roomWith(hers, day % 2 === 0 ? 'video' : 'audio', his);
  valueOf(await hers.ask('rooms/leave', { ...room, ends: true }));
  for (const tab of [hers, his]) await w.leave(tab);
}

test.runIf(coversEverything)(
  'through sleeps, set clocks and backups of a month nothing goes that should stay, and nothing stays that should go',
  { timeout: 240_000 },
  async () => {
    await using backups = await makeTempDir('backups');
    await using data = await makeTempDir('month');
    const databaseUrl = `sqlite:${join(data.path, 'tunemate.sqlite')}`;
    const clock = createFakeClock();
    let w = await openSocketWorld({ databaseUrl, clock });
    let couple: readonly [Person, Person] = await meet(w);
    const sign = { name: 'Never', email: emailOf('Never'), password: goodPassword };
    await w.app.visitor().call('POST /api/accounts/sign-up', sign);
    const written: { text: string | null; atMs: number }[] = [];
    const backedUp: number[] = [];
    const logged: unknown[] = [];

    for (let day = 1; day <= days; day += 1) {
      const by = setBy[day];
      // After the clock was set a day ahead nothing is deleted by its age for a day of the machine, or until it starts again.
      if (startedOn.has(day)) {
        await w.close();
        logged.push(...errorsOf(w));
        w = await openSocketWorld({ databaseUrl, clock });
      }
      if (by !== undefined) {
        w.clock.set(by * hourMs);
        await w.app.app.runBackground();
      }
      if (asleepOn.has(day)) await w.pass(24 * hourMs);
      else for (let hour = 0; hour < 24; hour += stepHours) await w.pass(stepHours * hourMs);
      // A session lasts 30 days at most.
      if (day === 28) couple = [await w.signIn(couple[0]), await w.signIn(couple[1])];
      await evening(w, couple, day);
      // When something was written is never rewritten, whatever the clock did since.
      const times = await timesOf(w);
      expect(times.slice(0, written.length)).toEqual(written);
      written.push(...times.slice(written.length));
      if (!backedUpOn.has(day)) continue;
      const place = { dataDir: w.app.dataDir, databaseUrl, s3: null };
      await backUp(place, join(backups.path, `${String(day)}.tar.gz`), new Date());
      backedUp.push(day);
    }
    expect(written.map(({ text }) => text)).toEqual(
      Array.from({ length: days }, (_, n) => ['Mara', 'Theo'].map((name) => `${name} on day ${String(n + 1)}`)).flat(),
    );
    expect(backedUp).toEqual([...backedUpOn]);
    for (let hour = 0; hour < 4; hour += 1) await w.pass(hourMs);
    const counts = await countsOf(w);
    expect(counts).toMatchObject({ private_messages: 2 * days, mails: 0, action_codes: 0 });
    // The end of the last room is kept for a day, and so are answers to requests; rooms for the day after their end.
    expect(counts['stream_entries']).toBeLessThanOrEqual(2);
    expect(counts['idempotency']).toBeLessThanOrEqual(10);
    expect(counts['rooms']).toBeLessThanOrEqual(2);
    expect(counts['ended_rooms']).toBeLessThanOrEqual(31);
    expect(await w.db.selectFrom('users').select('uid').execute()).toHaveLength(2);
    await w.close();
    expect([...logged, ...errorsOf(w)]).toEqual([]);
  },
);

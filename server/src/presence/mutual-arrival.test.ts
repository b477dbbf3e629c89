/** Many people who see each other connect at once: PostgreSQL never has to resolve a deadlock. */
import { randomUUID } from 'node:crypto';
import type { TabId } from '@tunemate/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { codeOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { openDatabase } from '../storage/database.ts';

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
      process.stdout.write(`${String(friends)} arrivals in ${String(Math.round(performance.now() - startedAt))} ms\n`);
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

/** When a process compares itself with others. */
import { join } from 'node:path';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { writeMigratedSqlite } from '@tunemate/testkit/services/migrated-sqlite';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { excuseOutage } from '../presence/connections-store.ts';
import { openDatabase } from '../storage/database.ts';
import { createBackground } from '../system/background.ts';
import { openProcesses } from './processes.ts';

test('a start that excuses an outage is compared with no process that is gone', async () => {
  await using data = await makeTempDir('processes');
  const file = join(data.path, 'tunemate.sqlite');
  await writeMigratedSqlite(file);
  const database = openDatabase(`sqlite:${file}`);
  const clock = createFakeClock();
  const said: string[] = [];
  const note = (_: object, event: string) => void said.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  const background = createBackground(log);
  try {
    const facts = JSON.stringify({ version: '1', settings: {}, folder: 'of another', library: null, redis: null });
    const gone = { process_id: 'gone', seen_at_ms: clock.now(), facts };
    await database.db.insertInto('processes').values(gone).execute();
    const processes = await openProcesses({
      ...{ database, clock, machine: clock, log, background, metrics: new Registry(), processId: 'own', version: '2' },
      config: { agreed: {}, withoutTls: [], dataDir: data.path, s3: null },
      doorbell: { service: async () => null },
      libraryItems: () => null,
    });
    // A slow start: tasks in the background run before it has looked.
    await background.runAll();
    clock.advance(5000);
    await excuseOutage(database.db, clock.now(), 0, clock.now());
    await processes.look();
    await background.runAll();
    expect(said).toEqual([]);
    await database.db
      .updateTable('processes')
      .set({ seen_at_ms: clock.now() + 1 })
      .execute();
    await background.runAll();
    expect(said).toEqual(['processes.disagree']);
  } finally {
    await background.stop();
    await database.close();
  }
});

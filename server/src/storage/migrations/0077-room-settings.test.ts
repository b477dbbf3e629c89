import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { initialSettings } from '@tunemate/protocol';
import { settingsIn } from '../../rooms/lifecycle/rooms-store.ts';
import { migrate, openDatabase } from '../database.ts';
import { migrations } from './migrations.ts';

describeEachDialect('a database whose rooms have a column for each setting', (makeDatabaseUrl) => {
  test('keeps the settings of each room of both kinds', async () => {
    const database = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0077'));
    const provider = { getMigrations: () => Promise.resolve(before) };
    const { error } = await new Migrator({ db: database.db, provider }).migrateToLatest();
    expect(error).toBeUndefined();
    const holder = 'A'.repeat(22);
    const rows: (readonly [id: string, columns: Record<string, unknown>, settings: object])[] = [
      ['new', {}, {}],
      ['locked', { is_locked: 1, admits: 'invited' }, { isLocked: true, admits: 'invited' }],
      ['votes', { everyone_adds: 1, majority_skips: 1 }, { everyoneAdds: true, majoritySkips: true }],
      [
        'slow',
        { slow_seconds: 15, remote: JSON.stringify({ use: 'lent', holders: [holder] }) },
        { slowSeconds: 15, remoteUse: 'lent', remoteHolders: [holder] },
      ],
      [
        'all',
        { remote: JSON.stringify({ use: 'everyone', holders: [] }), admits: 'everybody' },
        { remoteUse: 'everyone', admits: 'everybody' },
      ],
    ];
    for (const table of ['rooms', 'audiorooms']) {
      for (const [id, columns] of rows) {
        const row = { room_id: id, code: id, name: id, host: 'h', created_at_ms: 1, is_active: 1, ...columns };
        const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
        await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(
          database.db,
        );
      }
    }
    await migrate(database);
    for (const table of ['rooms', 'audiorooms'] as const) {
      const stored = await database.db.selectFrom(table).select(['room_id', 'settings']).execute();
      const found = Object.fromEntries(stored.map((row) => [row.room_id, settingsIn(row.settings)]));
      expect(found).toEqual(
        Object.fromEntries(rows.map(([id, , settings]) => [id, { ...initialSettings, ...settings }])),
      );
    }
    await database.close();
  });
});

import { Client } from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from './postgres.ts';
import { describeWithService } from './request-service.ts';

async function query(url: string, sql: string): Promise<{ body: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ body: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}

describeWithService(
  'a PostgreSQL of our own',
  () => startPostgres({ durable: true }),
  (server) => {
    test('keeps what was committed over a crash, and drops what it made', async () => {
      const database = await server.createDatabase();
      await query(database.url, 'create table note (body text)');
      await query(database.url, "insert into note values ('kept')");
      await server.crashAndRestart();
      expect(await query(database.url, 'select body from note')).toEqual([{ body: 'kept' }]);
      await database.drop();
      await expect(query(database.url, 'select 1')).rejects.toThrow('does not exist');
    });
  },
);

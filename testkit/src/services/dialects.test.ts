import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { describeEachDialect, type DialectName } from './dialects.ts';

describeEachDialect('a suite for each dialect', (makeDatabaseUrl, dialect) => {
  test('gets a database of its own each time it asks', async () => {
    const [one, two] = [await makeDatabaseUrl(), await makeDatabaseUrl()];
    expect(one).not.toBe(two);
    expect(one).toMatch(dialect === 'sqlite' ? /^sqlite:\// : /^postgres:\/\//);
  });

  test('can use what it is given', async () => {
    expect(await createNote(dialect, await makeDatabaseUrl())).toBe('written');
  });
});

async function createNote(dialect: DialectName, url: string): Promise<unknown> {
  const sql = ['create table note (body text)', "insert into note values ('written')"];
  if (dialect === 'sqlite') {
    const file = new DatabaseSync(url.slice('sqlite:'.length));
    sql.forEach((statement) => file.exec(statement));
    const row = file.prepare('select body from note').get();
    file.close();
    return row?.['body'];
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of sql) await client.query(statement);
  const { rows } = await client.query<{ body: string }>('select body from note');
  await client.end();
  return rows[0]?.body;
}

/** Secrets that processes of one database share: nothing else is known to all of them and to nobody else. */
import { randomBytes } from 'node:crypto';
import type { Db } from './schema.ts';

/** Made when it is first asked for. */
export async function sharedKey(db: Db, name: string): Promise<string> {
  const read = () => db.selectFrom('settings').select('value').where('key', '=', name).executeTakeFirst();
  const stored = await read();
  if (stored) return stored.value;
  const value = randomBytes(32).toString('base64url');
  await db
    .insertInto('settings')
    .values({ key: name, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await read())?.value ?? value;
}

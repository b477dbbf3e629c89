/** The soulmate requests of a person that wait for an answer: they are the notifications that carry them. */
import { type AskedSoulmate, type Uid, userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';

/** As the sender sees them, newest first. `rows` are of the recipients. */
export function toAsked(rows: readonly { uid: string; name: string; timestamp_ms: number }[]): AskedSoulmate[] {
  return rows
    .map((row) => ({ uid: row.uid as Uid, name: row.name, askedAt: row.timestamp_ms }))
    .sort((a, b) => b.askedAt - a.askedAt || (a.uid < b.uid ? -1 : 1));
}

async function askedBy(db: Kysely<Schema>, uid: Uid): Promise<AskedSoulmate[]> {
  const rows = await db
    .selectFrom('notifications')
    .innerJoin('users', 'users.uid', 'notifications.uid')
    .select(['users.uid', 'users.name', 'notifications.timestamp_ms'])
    .where('notifications.sender_uid', '=', uid)
    .where('notifications.type', '=', 'soulmate')
    .execute();
  return toAsked(rows);
}

/** After one was sent, answered or taken back; the write holds this person's stream. */
export async function tellAsked(writing: Writing, uid: Uid): Promise<void> {
  await writing.append(userStream(uid), { type: 'soulmate/asked', asked: await askedBy(writing.db, uid) });
}

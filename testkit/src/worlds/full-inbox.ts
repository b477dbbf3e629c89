/** An inbox that one more notification takes a soulmate request out of, written directly into a database. */
import { limits, type Uid } from '@tunemate/protocol';
import type { Db } from '../../../server/src/storage/schema.ts';

/** The request is the oldest of as many as are kept; the others are of people who do not exist. */
export async function fillInbox(db: Db, recipient: Uid, asker: Uid): Promise<void> {
  const rows = Array.from({ length: limits.notifications }, (_, index) => ({
    id: `${recipient} ${String(index)}`,
    uid: recipient,
    type: index === 0 ? ('soulmate' as const) : ('now-playing' as const),
    message: 'Hello',
    sender_uid: index === 0 ? asker : String(index).padStart(22, '0'),
    sender_name: 'Somebody',
    room: null,
    room_id: null,
    about: '',
    is_read: 0,
    timestamp_ms: index,
  }));
  await db.insertInto('notifications').values(rows).execute();
}

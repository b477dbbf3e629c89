/**
 * Reads who may see changes of several people at once: those whose screens show them, and the blocks in between.
 */
import type { Uid } from '@tunemate/protocol';
import { padded } from '../storage/queries.ts';
import type { Db } from '../storage/schema.ts';

/** Those whose screens show each of these people: as a tunemate, as the soulmate, or in the list of chats. */
export async function knownBy(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Uid[]>> {
  const lists = (['tunemates', 'audio_connections'] as const).map((list) =>
    db.selectFrom(list).select(['mate as seen', 'uid as by']).where('mate', 'in', padded(uids)),
  );
  const [video, audio] = lists as [(typeof lists)[0], (typeof lists)[0]];
  const chats = db.selectFrom('conversations').select(['uid as seen', 'other as by']).where('uid', 'in', padded(uids));
  const soulmates = db
    .selectFrom('users')
    .select((of) => ['uid as seen', of.ref('soulmate').$notNull().as('by')])
    .where('uid', 'in', padded(uids))
    .where('soulmate', 'is not', null)
    .where('deleted_at_ms', 'is', null)
    .where('email_verified', '=', 1);
  return byPerson(await video.union(audio).union(chats).union(soulmates).execute());
}

/** Whom each of these people has blocked or is blocked by. */
export async function partedFrom(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Uid[]>> {
  const blocking = db.selectFrom('blocks').select(['uid as seen', 'blocked as by']).where('uid', 'in', padded(uids));
  const blocked = db.selectFrom('blocks').select(['blocked as seen', 'uid as by']).where('blocked', 'in', padded(uids));
  return byPerson(await blocking.union(blocked).execute());
}

function byPerson(rows: readonly { seen: string; by: string }[]): Map<Uid, Uid[]> {
  const grouped = Map.groupBy(rows, ({ seen }) => seen as Uid);
  return new Map(Array.from(grouped, ([seen, some]) => [seen, some.map(({ by }) => by as Uid)]));
}

/** What one person would see of others if they connected now. */
import type { Uid } from '@tunemate/protocol';
import type { Features } from '../../../server/src/app/features.ts';
import { ownPeopleOf as readOwnPeople, type OwnPeople } from '../../../server/src/session/own-snapshot.ts';

const nothingHeard = () => Promise.resolve(new Map());

export async function ownPeopleOf({ record }: Pick<Features, 'record'>, uid: Uid): Promise<OwnPeople> {
  const { db } = record;
  const row = await db.selectFrom('users').select('soulmate').where('uid', '=', uid).executeTakeFirst();
  const own = (await readOwnPeople(db, [{ uid, soulmate: (row?.soulmate ?? null) as Uid | null }], nothingHeard)).get(
    uid,
  );
  if (!own) throw new Error(`nothing was read of ${uid}`);
  return own;
}

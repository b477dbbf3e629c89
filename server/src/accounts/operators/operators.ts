/**
 * Who runs this server. The first operator is the first person whose address is verified on the server's own machine, or
 * who enters the code of its log; the operator's command makes and ends others. Of several at one moment one is first.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Uid } from '@tunemate/protocol';
import type { Db } from '../../storage/schema.ts';
import { settingOf, sharedKey } from '../../storage/settings.ts';

/** Set for good with the first operator: later ones are made by the command. */
const firstKey = 'first-operator';
const codeKey = 'operator-code';

/** No longer than a person likes to type from one screen into another; guesses are limited. */
const codeBytes = 4;

export async function makeOperator(db: Db, uid: Uid, nowMs: number): Promise<void> {
  await takeFirstPlace(db, uid);
  await db
    .updateTable('users')
    .set({ operator_since_ms: nowMs })
    .where('uid', '=', uid)
    .where('operator_since_ms', 'is', null)
    .execute();
}

/** False when the person was none. */
export async function endOperator(db: Db, uid: Uid): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ operator_since_ms: null, operator_told: 0 })
    .where('uid', '=', uid)
    .where('operator_since_ms', 'is not', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export interface KnownOperator {
  uid: Uid;
  name: string;
  email: string;
  sinceMs: number;
}

/** The first of them first. */
export async function operatorsOf(db: Db): Promise<KnownOperator[]> {
  const rows = await db
    .selectFrom('users')
    .select(['uid', 'name', 'email', 'operator_since_ms'])
    .where('operator_since_ms', 'is not', null)
    .where('deleted_at_ms', 'is', null)
    .orderBy('operator_since_ms')
    .orderBy('uid')
    .execute();
  return rows.map(({ uid, name, email, operator_since_ms: sinceMs }) => ({
    ...{ uid: uid as Uid, name, email: email ?? '' },
    sinceMs: sinceMs ?? 0,
  }));
}

/** Whether their page has to say yet that they run this server. */
export async function isNewOperator(db: Db, uid: Uid): Promise<boolean> {
  const row = await db.selectFrom('users').select('operator_told').where('uid', '=', uid).executeTakeFirst();
  return row?.operator_told === 0;
}

export async function noteTold(db: Db, uid: Uid): Promise<void> {
  await db.updateTable('users').set({ operator_told: 1 }).where('uid', '=', uid).execute();
}

/**
 * Makes the first person of an empty database an operator, who was verified on the server's own machine. Within the write
 * that verifies them.
 */
export function firstOperator(): (db: Db, uid: Uid, nowMs: number) => Promise<void> {
  // Remembered: a database that is not empty is not asked again.
  let isOthers = false;
  return async (db, uid, nowMs) => {
    isOthers ||= await isOthersServer(db, uid);
    if (isOthers || !(await takeFirstPlace(db, uid))) return;
    await makeOperator(db, uid, nowMs);
  };
}

async function isOthersServer(db: Db, uid: Uid | null): Promise<boolean> {
  const others = db.selectFrom('users').select('uid').where('email_verified', '=', 1);
  const one = uid === null ? others : others.where('uid', '<>', uid);
  return (await one.limit(1).executeTakeFirst()) !== undefined;
}

/** False when another person had it before. */
async function takeFirstPlace(db: Db, uid: Uid): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .values({ key: firstKey, value: uid })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow();
  await db.deleteFrom('settings').where('key', '=', codeKey).execute();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether a person can still become the first operator: none was ever made, and no address is verified. */
export async function needsOperator(db: Db): Promise<boolean> {
  return (await settingOf(db, firstKey)) === null && !(await isOthersServer(db, null));
}

/** The code for the log, `7F3A-9C04`; the same in all processes. Null where it would not be taken. */
export async function operatorCode(db: Db): Promise<string | null> {
  if (!(await needsOperator(db))) return null;
  return await sharedKey(db, codeKey, () => {
    const drawn = randomBytes(codeBytes).toString('hex').toUpperCase();
    return `${drawn.slice(0, codeBytes)}-${drawn.slice(codeBytes)}`;
  });
}

/** Makes the person an operator if this is the code, which then works no more. */
export async function spendOperatorCode(db: Db, uid: Uid, typed: string, nowMs: number): Promise<boolean> {
  const code = await settingOf(db, codeKey);
  if (code === null || !isSame(typed, code) || !(await takeFirstPlace(db, uid))) return false;
  await makeOperator(db, uid, nowMs);
  return true;
}

function isSame(typed: string, code: string): boolean {
  const [given, right] = [typed, code].map((text) => Buffer.from(text.toUpperCase().replaceAll(/[^\dA-F]/g, '')));
  return given !== undefined && right?.length === given.length && timingSafeEqual(given, right);
}

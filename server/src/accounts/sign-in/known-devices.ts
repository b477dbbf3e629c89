/**
 * Recognises a browser that signed in to an account before, by a signed cookie. It gives no access. Its wrong passwords
 * are counted apart from everybody else's, so that strangers who guess can't lock the owner out.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sharedKey } from '../../storage/shared-key.ts';
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.ts';

export type KnownDevices = Awaited<ReturnType<typeof openKnownDevices>>;

const settingKey = 'device-key';
/** Accounts that one browser is remembered for, the latest first. */
const perBrowser = 4;

export async function openKnownDevices(db: Kysely<Schema>) {
  const key = Buffer.from(await sharedKey(db, settingKey), 'base64url');

  function isOf(entry: string, uid: Uid): boolean {
    const [id = '', signature = ''] = entry.split('.');
    const expected = createHmac('sha256', key).update(`${uid}:${id}`).digest();
    const given = Buffer.from(signature, 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  const entriesOf = (value: string | null): string[] => (value === null ? [] : value.split('~'));

  return {
    /** The id of this browser for the account; null when it never signed in to it. */
    idOf(value: string | null, uid: Uid): string | null {
      const entry = entriesOf(value).find((each) => isOf(each, uid));
      return entry?.split('.')[0] ?? null;
    },
    /** The cookie's value after signing in to the account. */
    remember(value: string | null, uid: Uid): string {
      const entries = entriesOf(value);
      const known = entries.find((each) => isOf(each, uid));
      const id = randomBytes(16).toString('base64url');
      const entry = known ?? `${id}.${createHmac('sha256', key).update(`${uid}:${id}`).digest('base64url')}`;
      return [entry, ...entries.filter((each) => each !== entry)].slice(0, perBrowser).join('~');
    },
  };
}

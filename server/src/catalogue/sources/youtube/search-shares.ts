/** Of the calls to the video service that all share in a day, how many one network and one new account get: a fifth. */
import type { Uid } from '@tunemate/protocol';
import type { BucketName } from '../../../access/bounds.ts';
import { day } from '../../../access/bound.ts';
import type { Caller } from '../../../access/caller.ts';
import type { Limits } from '../../../access/limits.ts';
import { takeOfEach } from '../../../access/spending.ts';
import type { Db } from '../../../storage/schema.ts';
import { isPrivateNetwork } from '../../../system/private-hosts.ts';

/** Who causes a call: the host of the room, whose hour it counts against, and who asks; null where the server asks. */
export interface Payer {
  host: Uid;
  asker: Pick<Caller, 'uid' | 'address'> | null;
}

export type CallPurpose = 'search' | 'suggestion' | 'lookUp' | 'card';

interface Share {
  network: BucketName;
  newcomer: BucketName;
  /** Counted apart. */
  of: string;
}

const searches: Share = { network: 'searchesOfNetwork', newcomer: 'searchesOfNewcomer', of: 'searches' };
const lookUps = { network: 'lookUpsOfNetwork', newcomer: 'lookUpsOfNewcomer' } as const;
const shares: Record<CallPurpose, Share> = {
  search: searches,
  suggestion: searches,
  lookUp: { ...lookUps, of: 'look-ups' },
  card: { ...lookUps, of: 'cards' },
};

interface SharesDeps {
  limits: Pick<Limits, 'take' | 'giveBack'>;
  db: Db;
  clock: { now(): number };
}

export type SearchShares = ReturnType<typeof searchShares>;

/** A share is of any 24 hours. The server's own calls, for the next track, have the share of the host's account alone. */
export function searchShares({ limits, db, clock }: SharesDeps) {
  async function isNewcomer(uid: Uid): Promise<boolean> {
    const madeAfterMs = clock.now() - day;
    const query = db.selectFrom('users').select('uid').where('uid', '=', uid).where('created_at_ms', '>', madeAfterMs);
    return (await query.executeTakeFirst()) !== undefined;
  }

  return {
    /** Takes one call of each share that this payer has, or none. Null where one is used up, else gives them back. */
    async take({ host, asker }: Payer, purpose: CallPurpose): Promise<(() => Promise<void>) | null> {
      const { network, newcomer, of } = shares[purpose];
      const uid = asker?.uid ?? host;
      const buckets: (readonly [BucketName, string])[] = [];
      // Behind a private address may be a whole home, or all visitors of a proxy beside the server.
      if (asker && !isPrivateNetwork(asker.address)) buckets.push([network, `${asker.address}|${of}`]);
      if (await isNewcomer(uid)) buckets.push([newcomer, `${uid}:${of}`]);
      const taken = await takeOfEach(limits, buckets);
      return taken.ok ? taken.value.giveBack : null;
    },
  };
}

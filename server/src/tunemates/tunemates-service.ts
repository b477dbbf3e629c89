/**
 * Taking someone out of one's lists: both lists, both sides, live (MATE-6).
 */
import { ownStream, type Payload } from '@tunemate/protocol';
import { accept, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { isKnown } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import { disconnect } from './meeting.ts';

export interface TunematesDeps {
  record: StreamRecord;
}

export function tunematesService({ record }: TunematesDeps) {
  async function remove(caller: Caller, { uid }: Payload<'tunemates/remove'>): Promise<Outcome<Record<string, never>>> {
    if (!(await isKnown(record.db, uid))) return refuse('access/not-found');
    return await record.write([ownStream(caller.uid), ownStream(uid)], async (writing) =>
      (await disconnect(writing, caller.uid, uid)) ? accept({}) : refuse('access/not-found'),
    );
  }

  return { remove };
}
export type TunematesService = ReturnType<typeof tunematesService>;

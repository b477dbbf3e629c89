/**
 * What people can ask of one server process, wired as the server wires it, over a real database and without a
 * transport: no page is connected, so entering a room only reads it.
 */
import { authorized } from '../../../server/src/realtime/requests.ts';
import { createFeatures, withoutConnections } from '../../../server/src/app/features.ts';
import { createLog } from '../../../server/src/system/logging.ts';
import type { Clock } from '../../../server/src/system/ports.ts';
import { localDoorbell } from '../../../server/src/realtime/feed.ts';
import type { Database } from '../../../server/src/storage/database.ts';
import { StreamRecord } from '../../../server/src/storage/record.ts';
import { seededIds } from '../seeded-ids.ts';

/** The handlers take any caller: the declarations decide as in the server. */
export function startServices(database: Database, clock: Clock, seed: number) {
  const record = new StreamRecord(database, clock);
  const ids = seededIds(seed);
  const doorbell = localDoorbell({ mayHaveMissed: () => false });
  const features = createFeatures({
    record,
    clock,
    ids,
    log: createLog('silent'),
    doorbell,
    ...withoutConnections(record),
  });
  const handlers = authorized(features.handlers, features.subjects);
  return { ...features, ids, doorbell, handlers };
}

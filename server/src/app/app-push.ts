/**
 * Composes push: the key pair of this installation, made at its first start, and the count of open connections.
 */
import type { Uid } from '@tunemate/protocol';
import type { Clock, Log } from '../system/ports.ts';
import { countOpenConnections } from '../presence/connections-store.ts';
import { contactOf } from '../push/contact.ts';
import { pushClient } from '../push/push-client.ts';
import { pushService, type PushService } from '../push/push-service.ts';
import { keepKeyPair } from '../push/push-store.ts';
import type { StreamRecord } from '../storage/record.ts';

export interface OpenPushDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  liveSessions: (sessionIds: readonly string[]) => Promise<Set<string>>;
  publicUrl: () => string;
  /** MAIL_FROM: the contact for push services where the public address is not https. */
  mailFrom: string;
  allowLoopback: boolean;
  /** Whether a connection to this process tells this person their news; where one does, nothing is read. */
  isTold: (uid: Uid) => boolean;
}

export async function openPush({ publicUrl, mailFrom, isTold, ...deps }: OpenPushDeps): Promise<PushService> {
  const keys = await keepKeyPair(deps.record.db, async () => (await import('web-push')).default.generateVAPIDKeys());
  const contact = () => contactOf(publicUrl(), mailFrom);
  const { record, allowLoopback } = deps;
  return pushService({
    ...deps,
    client: pushClient({ keys, contact, allowLoopback }),
    isConnected: async (uid) => isTold(uid) || (await countOpenConnections(record.db, uid)) > 0,
  });
}

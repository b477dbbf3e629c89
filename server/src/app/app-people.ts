/**
 * Composes tunemates, soulmates, notifications and private chats.
 */
import { userStream, type EphemeralEvent, type StreamId, type Uid } from '@tunemate/protocol';
import type { AccountHook } from '../accounts/accounts-deps.ts';
import { type BlocksDeps, blocksService } from '../chats/blocks.ts';
import { conversationsService } from '../chats/conversations.ts';
import { messagesService, pairResolver, receiptsService } from '../chats/messages.ts';
import { ownChats, ownPhotos } from '../chats/account-chats.ts';
import { notificationsService } from '../notifications/notifications.ts';
import { markShownChanged } from '../presence/people-updates.ts';
import { soulmateService } from '../soulmate/soulmate.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Ids, Log, Notify } from '../system/ports.ts';
import { tunematesService } from '../tunemates/tunemates.ts';

export interface PeopleDeps {
  record: StreamRecord;
  ids: Ids;
  log: Log;
  /** Sends an ephemeral event to all tabs of one person, on every process. */
  sendEphemeral: (to: StreamId, news: EphemeralEvent) => void;
  notify: Notify;
  /** The name or presence of this person has changed. */
  shownChanged: (uid: Uid) => void;
  /** Takes a blocked person out of the blocker's rooms. */
  dismissal: BlocksDeps['dismissal'];
}

export function createPeople(deps: PeopleDeps) {
  const { record, sendEphemeral, shownChanged } = deps;
  const tunemates = tunematesService({ record });
  const notifications = notificationsService({ record });
  const soulmate = soulmateService(deps);
  const messages = messagesService(deps);
  const conversations = conversationsService({ record });
  const receipts = receiptsService({ record, tell: (to, news) => sendEphemeral(userStream(to), news) });
  const blocks = blocksService(deps);
  const chatsHook: AccountHook = {
    exports: {
      chats: (uid, origin) => ownChats(record.db, uid, origin),
      photos: (uid, origin) => ownPhotos(record.db, uid, origin),
    },
  };
  /** Other people whose screens show them are notified after the commit: chats stay when an account is deleted. */
  const shownHook: AccountHook = {
    onDeleting: (uid) => Promise.resolve(shownChanged(uid)),
    onRenaming: async (writing, uid) => {
      await markShownChanged(writing.db, uid, writing.nowMs);
      writing.afterCommit(() => shownChanged(uid));
    },
  };

  return {
    handlers: {
      ...tunemates.handlers,
      ...notifications.handlers,
      ...soulmate.handlers,
      ...messages.handlers,
      ...conversations.handlers,
      ...receipts.handlers,
      ...blocks.handlers,
    },
    resolve: pairResolver(record),
    accountHooks: [
      blocks.accountHook,
      chatsHook,
      tunemates.accountHook,
      soulmate.accountHook,
      notifications.accountHook,
      shownHook,
    ] as readonly AccountHook[],
  };
}

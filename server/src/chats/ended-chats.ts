/**
 * Deletes the conversations that nobody can read any more, because the accounts of both people are deleted. The pictures
 * are only marked: their files go with the next sweep of images.
 */
import { userStream } from '@tunemate/protocol';
import { pageSize } from '../storage/pages.ts';
import type { StreamRecord } from '../storage/record.ts';
import { type Ended, endedConversations, deleteSides } from './conversations-store.ts';
import { giveUpImagesOf } from './pictures/images-store.ts';
import { deleteSomeMessages } from './messages-store.ts';

/** Every process may do this at once. */
export async function forgetEndedChats(record: StreamRecord): Promise<void> {
  for (;;) {
    const ended = await endedConversations(record.db, pageSize);
    for (const conversation of ended) await forgetChat(record, conversation);
    if (ended.length < pageSize) return;
  }
}

/** The conversation goes last: one that was interrupted is found again. */
async function forgetChat(record: StreamRecord, { pairId, people }: Ended): Promise<void> {
  const streams = people.map((uid) => userStream(uid));
  // Other writes get their turn between two pages of a long conversation.
  for (let hasMore = true; hasMore;) {
    hasMore = await record.write(streams, ({ db }) => deleteSomeMessages(db, pairId, pageSize));
  }
  await record.write(streams, async ({ db }) => {
    await giveUpImagesOf(db, pairId, people);
    await deleteSides(db, pairId, people);
  });
}

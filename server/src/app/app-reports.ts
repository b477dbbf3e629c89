/**
 * Composes reports: which words of rooms and private chats can be reported, and what goes with an account.
 */
import { operatorName, reportReadMessage } from '@tunemate/domain';
import { pairId, type ReportedThing, type RoomCode, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { AccountHook } from '../accounts/accounts-deps.ts';
import { deliver, streamsOfDelivery } from '../notifications/notifications.ts';
import { messageNumbered } from '../chats/messages-store.ts';
import type { Ids, Log } from '../system/ports.ts';
import { forgetReportsBy, reportsBy } from '../reports/reports-store.ts';
import { type ReporterNews, reportsService } from '../reports/reports-service.ts';
import { wordsOfMessage } from '../rooms/chat/room-chat-store.ts';
import { isMember, latestLiveRooms } from '../rooms/lifecycle/rooms-store.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';

type Message = Exclude<ReportedThing, { type: 'person' }>;

async function wordsOf(db: Kysely<Schema>, about: Message, reader: Uid, author: Uid) {
  if (about.type === 'roomMessage') {
    const { kind, messageId } = about;
    const [room] = await latestLiveRooms(db, kind, 1, about.code as RoomCode);
    if (!room || !(await isMember(db, kind, room.roomId, reader))) return null;
    const text = await wordsOfMessage(db, kind, room.roomId, messageId, author);
    return text === null ? null : { place: `room ${room.code}`, text };
  }
  const pair = pairId.parse([reader, author].toSorted().join('_'));
  const message = await messageNumbered(db, pair, about.number);
  if (message?.sender !== author) return null;
  return { place: 'private', text: message.image === null ? message.text : `(a picture) ${message.text}` };
}

export function createReports({ record, ids, log }: { record: StreamRecord; ids: Ids; log: Log }) {
  const accountHook: AccountHook = {
    onDeleting: (uid) => forgetReportsBy(record.db, uid),
    exports: { reports: (uid) => reportsBy(record.db, uid) },
  };
  return { ...reportsService({ ids, log, wordsOf }), accountHook };
}

/** Into the inbox of who reported. */
export const reporterNews = (ids: Ids): ReporterNews => ({
  streams: streamsOfDelivery,
  answered: (writing, reporter) =>
    deliver(writing, ids, reporter, {
      type: 'report',
      message: reportReadMessage,
      senderName: operatorName,
      senderUid: reporter,
      room: null,
    }),
});

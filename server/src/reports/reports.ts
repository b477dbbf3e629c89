/**
 * Reports to the operator. The words of a reported message are copied, so that they outlive its room; they must be of
 * the person who is named, and the reporter must be able to read them. The reported person learns nothing.
 */
import { operatorName, pairIdOf } from '@tunemate/domain';
import { isBlank, type Payload, type ReportedThing, type Result, type RoomCode, type Uid } from '@tunemate/protocol';
import { type Selectable, sql } from 'kysely';
import type { Handlers, Pair } from '../access/subjects.ts';
import { messageNumbered } from '../chats/messages-store.ts';
import { uploadTakenBack } from '../chats/uploads/uploads-store.ts';
import { deliver, type DeliveryDeps, streamsOfDelivery } from '../notifications/notifications.ts';
import { wordsOfMessage } from '../rooms/chat/room-chat-store.ts';
import { isMember, latestLiveRooms } from '../rooms/lifecycle/rooms-store.ts';
import type { ReportsTable } from '../storage/tables/account-tables.ts';
import { once } from '../storage/idempotency.ts';
import type { NoteAction } from '../storage/operator-log.ts';
import { countOf } from '../storage/queries.ts';
import type { Listed, Part } from '../storage/pages.ts';
import { personOf } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import { operatorRecordsMs } from '../storage/retention.ts';
import type { Db } from '../storage/schema.ts';
import { accept, type Ids, type Log, type Nothing, refuse } from '../system/ports.ts';
import { allWords, earlierWordsOf, saidIn } from '../storage/earlier-words.ts';

interface ReportsDeps {
  record: StreamRecord;
  ids: Ids;
  log: Log;
}

/** Reports of one person that the operator has not answered: they are kept for a year. */
const mostWaiting = 50;

export function reportsService({ record, ids, log }: ReportsDeps) {
  async function send(
    { caller, other, write }: Pair,
    { clientId, about, reason }: Payload<'reports/send'>,
  ): Promise<Result<Nothing>> {
    if (other === caller.uid || isBlank(reason)) return refuse('input/invalid');
    return await write([], (writing) =>
      once<Nothing>(writing, caller.uid, clientId, ['reports/send', other, about, reason], async () => {
        const { db, nowMs: atMs } = writing;
        // Deleted from another tab while this write waited.
        if (!(await personOf(db, caller.uid))) return refuse('auth/required');
        const asked = { reader: caller.uid, author: other };
        const said =
          about.type === 'person'
            ? { place: 'person', text: null, uploadId: null }
            : await wordsOf(db, { about, ...asked }, atMs);
        if (!said) return refuse('access/not-found');
        if ((await waitingOf(db, caller.uid)) >= mostWaiting) return refuse('limit/too-many');
        const id = ids.newId();
        await insertReport(db, { id, atMs, reporter: caller.uid, reported: other, reason, ...said });
        writing.afterCommit(() => log.info({ id }, 'report.received'));
        return accept({});
      }),
    );
  }

  return {
    handlers: { 'reports/send': send } satisfies Partial<Handlers>,
    accountHook: {
      onDeleting: (uid: Uid) => forgetReportsBy(record.db, uid),
      exports: { reports: (uid: Uid) => reportsBy(record.db, uid) },
    },
  };
}

/**
 * The words of a message by `author` that `reader` may read or has received within a day, where it was, and its picture or
 * recording, also one that was taken back a moment ago; null when there is none.
 */
async function wordsOf(
  db: Db,
  { about, reader, author }: { about: Exclude<ReportedThing, { type: 'person' }>; reader: Uid; author: Uid },
  nowMs: number,
) {
  if (about.type === 'roomMessage') {
    const { kind, messageId } = about;
    const [room] = await latestLiveRooms(db, kind, about.code as RoomCode);
    if (!room || !(await isMember(db, room, reader))) return null;
    const earlier = await earlierWordsOf(db, { place: room.roomId, message: messageId, sender: author }, nowMs);
    const text = allWords(await wordsOfMessage(db, room, messageId, author), earlier);
    return text === null ? null : { place: `room ${room.code}`, text, uploadId: null };
  }
  const pairId = pairIdOf(reader, author);
  const message = await messageNumbered(db, reader, pairId, about.number);
  if (message?.sender !== author || message.state === 'hidden') return null;
  const spoken = { place: pairId, message: String(about.number), sender: author };
  const now = message.state === 'shown' ? saidIn(message) : null;
  const text = allWords(now, await earlierWordsOf(db, spoken, nowMs));
  if (text === null) return null;
  const uploadId = message.image?.imageId ?? message.voice?.voiceId ?? (await uploadTakenBack(db, message));
  return { place: 'private', text, uploadId };
}

/** What the operator does with reports. */
export function reportAdmin({ record, ids, notify, note }: DeliveryDeps & { record: StreamRecord; note: NoteAction }) {
  return {
    list: (answeredToo: boolean, part: Part) => listReports(record.db, { answeredToo }, part),
    /** Marks it as read and notifies the reporter. Null when there is none, false when that was done before. */
    async answer(id: string): Promise<boolean | null> {
      const report = await reportById(record.db, id);
      if (!report) return null;
      const { reporter } = report;
      const streams = (db: Db) => streamsOfDelivery(db, reporter);
      return await record.write(streams, async (writing) => {
        if (!(await markAnswered(writing.db, id, writing.nowMs))) return false;
        await deliver(writing, { ids, notify }, reporter, {
          type: 'report',
          senderName: operatorName,
          senderUid: reporter,
          room: null,
        });
        await note(writing.db, writing.nowMs, 'reports answer', id);
        return true;
      });
    },
  };
}

/** A report as the operator sees it. */
export interface Report {
  id: string;
  atMs: number;
  reporter: Uid;
  reported: Uid;
  /** Where it was: `person`, `room ABC123`, `private`. */
  place: string;
  /** The words of the message, as they were then, and those of before that its sender had changed or deleted. */
  text: string | null;
  /** Its picture or recording, which is stored until the report is answered. */
  uploadId: string | null;
  reason: string;
  answeredAtMs: number | null;
}

const toReport = (row: Selectable<ReportsTable>): Report => ({
  id: row.id,
  atMs: row.at_ms,
  reporter: row.reporter as Uid,
  reported: row.reported as Uid,
  place: row.place,
  text: row.text,
  uploadId: row.upload_id,
  reason: row.reason,
  answeredAtMs: row.answered_at_ms,
});

async function insertReport(db: Db, report: Omit<Report, 'answeredAtMs'>): Promise<void> {
  const { id, atMs, reporter, reported, place, text, uploadId, reason } = report;
  await db
    .insertInto('reports')
    .values({ id, at_ms: atMs, reporter, reported, place, text, upload_id: uploadId, reason, answered_at_ms: null })
    .execute();
}

const waitingOf = (db: Db, reporter: Uid): Promise<number> =>
  countOf(db.selectFrom('reports').where('reporter', '=', reporter).where('answered_at_ms', 'is', null));

/**
 * The oldest that wait, or the newest of all. Of those that wait the first of each reporter comes before the second of any,
 * and of these the first about each person, so that many of one, or about one, hide no other.
 */
async function listReports(
  db: Db,
  { answeredToo }: { answeredToo: boolean },
  { from, most }: Part,
): Promise<Listed<Report>> {
  const all = db.selectFrom('reports').$if(!answeredToo, (query) => query.where('answered_at_ms', 'is', null));
  const total = await countOf(all);
  const nthOf = (column: 'reporter' | 'reported') =>
    sql`row_number() over (partition by ${sql.ref(column)} order by at_ms, id)`;
  const ordered = answeredToo
    ? all.orderBy('at_ms', 'desc')
    : all.orderBy(nthOf('reporter')).orderBy(nthOf('reported')).orderBy('at_ms');
  const rows = await ordered.selectAll().orderBy('id').limit(most).offset(from).execute();
  return { rows: rows.map(toReport), total };
}

async function reportById(db: Db, id: string): Promise<Report | null> {
  const row = await db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toReport(row) : null;
}

/** False when it was answered before. */
async function markAnswered(db: Db, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reports')
    .set({ answered_at_ms: nowMs })
    .where('id', '=', id)
    .where('answered_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** What this person reported, for their export: the oldest first. */
async function reportsBy(db: Db, uid: Uid) {
  const rows = await db.selectFrom('reports').selectAll().where('reporter', '=', uid).orderBy('at_ms').execute();
  return rows.map(({ at_ms: at, reported, place, reason }) => ({ at, reported, place, reason }));
}

/** The reporter's account is deleted. */
async function forgetReportsBy(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('reports').where('reporter', '=', uid).execute();
}

/** Deletes reports that are older than the operator's log reaches. */
export async function pruneReports(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('reports')
    .where('at_ms', '<', nowMs - operatorRecordsMs)
    .execute();
}

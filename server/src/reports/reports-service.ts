/**
 * Reports to the operator. The words of a reported message are copied, so that they outlive its room; they must be of
 * the person who is named, and the reporter must be able to read them. The reported person learns nothing.
 */
import { isBlank, type Payload, type ReportedThing, type Result, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Pair } from '../access/subjects.ts';
import { accept, type Ids, type Log, refuse } from '../system/ports.ts';
import { once } from '../storage/idempotency.ts';
import type { NoteAction } from '../storage/operator-log.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { insertReport, listReports, markAnswered, reportById } from './reports-store.ts';

type Db = Kysely<Schema>;
type Empty = Record<string, never>;

export interface ReportsDeps {
  ids: Ids;
  log: Log;
  /** The words of a message by `author` that `reader` may read, and where it was; null when there is none. */
  wordsOf: (
    db: Db,
    about: Exclude<ReportedThing, { type: 'person' }>,
    reader: Uid,
    author: Uid,
  ) => Promise<{ place: string; text: string } | null>;
}

export function reportsService({ ids, log, wordsOf }: ReportsDeps) {
  async function send(
    { caller, other, write }: Pair,
    { clientId, about, reason }: Payload<'reports/send'>,
  ): Promise<Result<Empty>> {
    if (other === caller.uid || isBlank(reason)) return refuse('input/invalid');
    return await write([], (writing) =>
      once<Empty>(writing, caller.uid, clientId, ['reports/send', other, about, reason], async () => {
        const { db, nowMs: atMs } = writing;
        const said =
          about.type === 'person' ? { place: 'person', text: null } : await wordsOf(db, about, caller.uid, other);
        if (!said) return refuse('access/not-found');
        const id = ids.newId();
        await insertReport(db, { id, atMs, reporter: caller.uid, reported: other, reason, ...said });
        writing.afterCommit(() => log.info({ id }, 'report.received'));
        return accept({});
      }),
    );
  }

  return { handlers: { 'reports/send': send } satisfies Partial<Handlers> };
}

export interface ReporterNews {
  /** The streams that `answered` appends to. */
  streams: (db: Db, reporter: Uid) => Promise<readonly StreamId[]>;
  /** Puts the notification that a report was read into the reporter's inbox. */
  answered: (writing: Writing, reporter: Uid) => Promise<void>;
}

export interface ReportAdminDeps {
  record: StreamRecord;
  note: NoteAction;
  reporterNews: ReporterNews;
}

/** What the operator does with reports. */
export function reportAdmin({ record, note, reporterNews }: ReportAdminDeps) {
  return {
    list: (answeredToo: boolean, most: number) => listReports(record.db, { answeredToo }, most),
    /** Marks it as read and tells the reporter. Null when there is none, false when that was done before. */
    async answer(id: string): Promise<boolean | null> {
      const report = await reportById(record.db, id);
      if (!report) return null;
      const { reporter } = report;
      const streams = (db: Db) => reporterNews.streams(db, reporter);
      return await record.write(streams, async (writing) => {
        if (!(await markAnswered(writing.db, id, writing.nowMs))) return false;
        await reporterNews.answered(writing, reporter);
        await note(writing.db, writing.nowMs, 'reports answer', id);
        return true;
      });
    },
  };
}

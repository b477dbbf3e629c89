/**
 * The export of everything stored about a person. Read and written a page at a time, so that memory does not grow with
 * the amount of data. Other features add their parts by hooks.
 */
import type { Session } from '../access/session.ts';
import { mailsTo } from '../mail/mail-store.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { auditRowsOf } from './audit.ts';
import { streamedJson } from './streamed-json.ts';
import { ownDocument } from './users-store.ts';

type Somebody = Exclude<Session, { status: 'signed-out' }>;
export type ExportService = ReturnType<typeof exportService>;

export function exportService({ record, clock, log, sessions, audit, hooks, publicUrl }: AccountsDeps) {
  /** The text of a JSON file, in chunks. A failure after the first chunk truncates the file. */
  async function begin({ uid, sessionId }: Somebody, address: string): Promise<AsyncIterable<string>> {
    const user = await ownDocument(record.db, uid);
    await audit(record.db, clock.now(), 'account.exported', uid, address);
    const all = async function* () {
      try {
        yield* streamedJson({
          exportedAt: clock.now(),
          user,
          sessions: () => sessions.list(uid, sessionId),
          mails: () => (user === null ? [] : mailsTo(record.db, user.email)),
          activity: auditRowsOf(record.db, uid),
          ...Object.fromEntries(
            hooks.flatMap(({ exports = {} }) =>
              Object.entries(exports).map(([name, read]) => [name, () => read(uid, publicUrl())]),
            ),
          ),
        });
      } catch (error) {
        log.warn({ err: error }, 'account.export-failed');
        throw error;
      }
    };
    return all();
  }

  return { begin };
}

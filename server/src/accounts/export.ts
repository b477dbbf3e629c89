/**
 * The export of everything stored about a user. Read and written a page at a time, so that memory does not grow with
 * the amount of data. Other features add entries by hooks.
 */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyPluginCallback } from 'fastify';
import type { UserSession } from '../access/session.ts';
import { createSlots } from '../access/slots.ts';
import { type AdmitFile, holdSlot } from '../http/routes.ts';
import { mailsTo } from '../mail/mail-queue.ts';
import { type AccountsDeps, audit, auditRowsOf } from './accounts-deps.ts';
import { letInAtMs, ownDocument } from './users-store.ts';

export type ExportService = ReturnType<typeof exportService>;

export function exportService({ record, clock, log, sessions, hooks, publicUrl }: AccountsDeps) {
  /** The text of a JSON file, in chunks. A failure after the first chunk truncates the file. */
  async function begin({ uid, sessionId }: UserSession, address: string): Promise<AsyncIterable<string>> {
    const user = await ownDocument(record.db, uid);
    await audit(record.db, clock.now(), 'account.exported', uid, address);
    const all = async function* () {
      try {
        const parts = streamedJson({
          exportedAt: clock.now(),
          user,
          letInAt: () => letInAtMs(record.db, uid),
          sessions: () => sessions.list(uid, sessionId),
          mails: () => (user === null ? [] : mailsTo(record.db, user.email)),
          activity: auditRowsOf(record.db, uid),
          ...Object.fromEntries(
            hooks.flatMap(({ exports = {} }) =>
              Object.entries(exports).map(([name, read]) => [name, () => read(uid, publicUrl())]),
            ),
          ),
        });
        for await (const part of parts) {
          // Its reader decides how long it takes, and may be who the session was ended against.
          if (!(await sessions.stillLive([sessionId])).has(sessionId)) throw new Error('the session has ended');
          yield part;
        }
      } catch (error) {
        log.warn({ err: error }, 'account.export-failed');
        throw error;
      }
    };
    return all();
  }

  return { begin };
}

const chunkLength = 16 * 1024;

/**
 * JSON in chunks, never whole in memory: an async iterable becomes an array with one item on each line, and a function
 * is called when its value is written.
 */
async function* streamedJson(value: unknown): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of pieces(value)) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
    // Without a pause, a fast reader would get all in one go while no other user is served.
    await setImmediate();
  }
  yield chunk;
}

async function* pieces(value: unknown): AsyncGenerator<string> {
  if (typeof value === 'function') yield* pieces(await (value as () => unknown)());
  else if (isAsyncIterable(value)) yield* listPieces(value);
  else if (typeof value === 'object' && value !== null && Object.values(value).some(isRead)) {
    let before = '{\n';
    for (const [name, part] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}: `;
      yield* pieces(part);
      before = ',\n';
    }
    yield '\n}';
  } else yield JSON.stringify(value) ?? 'null';
}

async function* listPieces(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield `${before}\n`;
    yield* pieces(item);
    before = ',';
  }
  yield before === '[' ? '[]' : '\n]';
}

const isRead = (value: unknown): boolean => typeof value === 'function' || isAsyncIterable(value);

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

interface ExportRoutesDeps {
  exports: ExportService;
  admitFile: AdmitFile;
}

/** `GET /api/accounts/export`: sends the file while reading it. */
export function exportRoutes({ exports, admitFile }: ExportRoutesDeps): FastifyPluginCallback {
  return (http, _options, done) => {
    const { onRequest, callerOf } = admitFile('GET /api/accounts/export');
    const slots = createSlots({ perKey: 1 });
    http.route({
      method: 'GET',
      url: '/api/accounts/export',
      exposeHeadRoute: false,
      onRequest,
      handler: async (request, reply) => {
        const { session, address } = callerOf(request);
        holdSlot(slots, session.uid, reply);
        const file = Readable.from(await exports.begin(session, address), { objectMode: false });
        return reply
          .header('content-disposition', 'attachment; filename="tunemate-data.json"')
          .type('application/json; charset=utf-8')
          .send(file);
      },
    });
    done();
  };
}

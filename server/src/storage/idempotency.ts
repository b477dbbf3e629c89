/**
 * Idempotency: a changing request carries an id made by the client, and the same id from the same person is applied
 * once. The answer is stored in the transaction that did the work, so both exist or neither does. It is deleted after a
 * day, unless the work asks for less, or with the room it was done in. A refusal is not stored: it changed nothing, and
 * a repetition may succeed.
 */
import { createHash } from 'node:crypto';
import type { RoomId, Uid, Result } from '@tunemate/protocol';
import { type QueryCreator, sql } from 'kysely';
import { refuse } from '../system/ports.ts';
import { builtByName, builtOnce } from './queries.ts';
import type { Writing } from './record.ts';
import type { Db, Schema } from './schema.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The room in which the work is done: the stored answer is deleted with it. */
export interface DoneIn {
  roomId: RoomId;
  /** How long the answer is kept; a day where nothing else is said. */
  keptMs?: number;
}

/**
 * Runs `work` unless this person's `key` (a client id, or the id of what can be done only once) was already accepted;
 * then returns the stored answer. `body` is the request, its name included: another body under the same key is
 * input/conflict. `place` names the room in which it is done, if any: the answer may hold words that were said there.
 */
export async function once<Value>(
  writing: Writing,
  uid: Uid,
  key: string,
  body: unknown,
  work: () => Promise<Result<Value>>,
  place: DoneIn | null = null,
): Promise<Result<Value>> {
  const hash = hashOf(body);
  // Inserted before the work, so that a second transaction with the same id waits here for the first one to end.
  if (!(await insertAnswer(writing, { uid, key, hash, answer: '', place }))) {
    const [stored] = await storedUnder(writing.db, uid, key);
    if (!stored) throw new Error('an answer that could not be inserted is not there');
    return answerFor(hash, stored) as Result<Value>;
  }
  const outcome = await work();
  if (outcome.ok) {
    await writing.db
      .updateTable('idempotency')
      .set({ answer: JSON.stringify(outcome.value) })
      .where('uid', '=', uid)
      .where('client_id', '=', key)
      .execute();
  } else {
    await writing.db.deleteFrom('idempotency').where('uid', '=', uid).where('client_id', '=', key).execute();
  }
  return outcome;
}

/**
 * The answer stored under this key; null when there is none. `bodyBefore` is the request as an earlier version stored it,
 * by the room in which it was done.
 */
export async function storedAnswer(
  db: Db,
  uid: Uid,
  key: string,
  body: unknown,
  bodyBefore?: (roomId: string | null) => unknown,
): Promise<Result<unknown> | null> {
  const [stored] = await storedUnder(db, uid, key);
  if (!stored) return null;
  const before = bodyBefore && hashOf(bodyBefore(stored.room_id));
  return answerFor(before === stored.request_hash ? before : hashOf(body), stored);
}

const storedUnder = builtOnce((db, uid: Uid, key: string) =>
  db
    .selectFrom('idempotency')
    .select(['request_hash', 'answer', 'room_id'])
    .where('uid', '=', uid)
    .where('client_id', '=', key),
);

const answerFor = (hash: string, stored: { request_hash: string; answer: string }): Result<unknown> =>
  stored.request_hash === hash ? { ok: true, value: JSON.parse(stored.answer) } : refuse('input/conflict');

/**
 * Stores the answer of a request that knows it before it writes anything else, or in advance for a later request with
 * this key. Null when it was stored; the earlier answer where the key has one.
 */
export async function keepAnswer<Value>(
  writing: Writing,
  uid: Uid,
  key: string,
  body: unknown,
  value: Value,
  place: DoneIn | null = null,
): Promise<Result<Value> | null> {
  const answer = JSON.stringify(value);
  if (await insertAnswer(writing, { uid, key, hash: hashOf(body), answer, place })) return null;
  return (await storedAnswer(writing.db, uid, key, body)) as Result<Value> | null;
}

/** Whether this person's key has an answer, as a column of another query. */
export const answersUnder = (uid: Uid, key: string) =>
  sql<number>`(select count(*) from idempotency where uid = ${uid} and client_id = ${key})`;

/** As `keepAnswer`, as one of several changes, after `answersUnder` has found none. */
export const keepingAnswer =
  ({ nowMs }: Writing, uid: Uid, key: string, body: unknown, value: unknown) =>
  (on: QueryCreator<Schema>) =>
    insertion(on, rowOf(nowMs, { uid, key, hash: hashOf(body), answer: JSON.stringify(value), place: null }));

/** Deletes the answers that expired before `atMs`. */
export async function forgetAnswersUntil(db: Db, atMs: number): Promise<void> {
  await db.deleteFrom('idempotency').where('until_ms', '<', atMs).execute();
}

/** Deletes the answers to requests in a room. */
export async function forgetAnswersIn(db: Db, roomId: RoomId): Promise<void> {
  await db.deleteFrom('idempotency').where('room_id', '=', roomId).execute();
}

/** Deletes the answers to a person's requests. */
export async function forgetAnswersTo(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('idempotency').where('uid', '=', uid).execute();
}

function hashOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url');
}

interface Answer {
  uid: Uid;
  key: string;
  hash: string;
  answer: string;
  place: DoneIn | null;
}

async function insertAnswer({ db, nowMs }: Writing, answer: Answer): Promise<boolean> {
  return (await inserting(db, rowOf(nowMs, answer))).length === 1;
}

const inserting = builtByName((db, row: ReturnType<typeof rowOf>) => {
  const { uid, client_id, request_hash, answer, at_ms, until_ms, room_id } = row;
  return insertion(db, { uid, client_id, request_hash, answer, at_ms, until_ms, room_id }).returning('uid');
});

const insertion = (on: QueryCreator<Schema>, row: ReturnType<typeof rowOf>) =>
  on
    .insertInto('idempotency')
    .values(row)
    .onConflict((conflict) => conflict.doNothing());

const rowOf = (nowMs: number, { uid, key, hash, answer, place }: Answer) => ({
  uid,
  client_id: key,
  request_hash: hash,
  answer,
  at_ms: nowMs,
  until_ms: nowMs + (place?.keptMs ?? dayMs),
  room_id: place?.roomId ?? null,
});

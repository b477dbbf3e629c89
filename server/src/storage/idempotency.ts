/**
 * Once (access R16): a mutating call carries an id made by the client, and the same id from the same person is applied
 * once. The answer is kept in the transaction that did the work, so both are there or neither is; pruning drops it after
 * a day.
 * A refusal is not kept: it changed nothing, and trying again may rightly succeed.
 */
import { createHash } from 'node:crypto';
import type { Uid } from '@tunemate/protocol';
import { refuse, type Outcome } from '../ports.ts';
import type { Writing } from './record.ts';

/**
 * Runs `work` unless this person's `key` (a client id, or the id of what can be done only once) was already accepted; then answers what was answered then.
 * `body` is what was asked, the request's name included: another body under the same key is input/conflict.
 */
export async function once<Value>(
  writing: Writing,
  uid: Uid,
  key: string,
  body: unknown,
  work: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const hash = hashOf(body);
  // Claimed before the work: a second transaction with the same id waits here for the first one to end.
  if (!(await insertAnswer(writing, uid, key, hash, ''))) {
    const kept = await writing.db
      .selectFrom('idempotency')
      .select(['request_hash', 'answer'])
      .where('uid', '=', uid)
      .where('client_id', '=', key)
      .executeTakeFirstOrThrow();
    if (kept.request_hash !== hash) return refuse('input/conflict');
    return { ok: true, value: JSON.parse(kept.answer) as Value };
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

/** Keeps an answer that nobody has asked for yet, so that the asking later finds it. Does nothing where one is kept. */
export async function keepAnswer(
  writing: Writing,
  uid: Uid,
  key: string,
  body: unknown,
  value: unknown,
): Promise<void> {
  await insertAnswer(writing, uid, key, hashOf(body), JSON.stringify(value));
}

function hashOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url');
}

async function insertAnswer(writing: Writing, uid: Uid, key: string, hash: string, answer: string) {
  const inserted = await writing.db
    .insertInto('idempotency')
    .values({ uid, client_id: key, request_hash: hash, answer, at_ms: writing.nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

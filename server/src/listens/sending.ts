/**
 * Sends listens that wait, one process at a time for each person: the process postpones the person's next attempt first.
 * Pauses between failed attempts grow. A listen leaves the table once the server has taken it, or says that it never will.
 */
import type { Db } from '../storage/schema.ts';
import { reasonOf } from '../system/outside.ts';
import type { Clock, Log } from '../system/ports.ts';
import type { Listen, Listenbrainz, Submitted } from './listenbrainz.ts';
import {
  type Account,
  claimAccount,
  dropListens,
  dueAccounts,
  setNextAttempt,
  waitingListens,
} from './listens-store.ts';

interface SendingDeps {
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Log;
  client: Pick<Listenbrainz, 'submit' | 'name'>;
  /** The server takes this token no more. */
  refused: (account: Account) => Promise<void>;
}

/** People at a time. */
const peopleAtOnce = 10;
const listensAtOnce = 50;
/** Longer than all calls of one claim take. */
const firstPauseMs = 2 * 60_000;
const longestPauseMs = 6 * 60 * 60_000;
/** No further call of a claim begins after this. */
const claimUsedMs = 60_000;

/** 2 min, 4 min … 6 h. */
const pauseMs = (attempt: number): number => Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);

export async function sendDueListens(deps: SendingDeps): Promise<void> {
  const due = await dueAccounts(deps.db, deps.clock.now(), peopleAtOnce);
  await Promise.all(due.map((account) => sendOf(deps, account)));
}

async function sendOf(deps: SendingDeps, account: Account): Promise<void> {
  const { db, clock, log, client } = deps;
  const { uid } = account;
  const attempt = account.attempts + 1;
  if (!(await claimAccount(db, account, clock.now() + pauseMs(attempt)))) return;
  const listens = await waitingListens(db, uid, listensAtOnce);
  if (listens.length === 0) return await setNextAttempt(db, account, 0);
  try {
    await settle(deps, account, await submit(deps, account, listens));
  } catch (error) {
    log.warn({ uid, attempt, err: error, ...reasonOf(error), server: client.name }, 'listens.delayed');
  }
}

async function settle({ db, clock, refused }: SendingDeps, account: Account, answer: Submitted): Promise<void> {
  if (answer.type === 'refused') await refused(account);
  else await setNextAttempt(db, account, answer.type === 'later' ? clock.now() + answer.afterMs : 0);
}

/** Where the server refuses several together, each is sent by itself, so that one that is unfit holds up no other. */
async function submit(deps: SendingDeps, account: Account, listens: readonly Listen[]): Promise<Submitted> {
  const { db, clock, log, client } = deps;
  const { uid, token } = account;
  const together = await client.submit(token, listens);
  if (together.type === 'unfit' && listens.length > 1) {
    const untilMs = clock.now() + claimUsedMs;
    for (const each of listens) {
      const answer = await submit(deps, account, [each]);
      if (answer.type === 'refused' || answer.type === 'later' || clock.now() > untilMs) return answer;
    }
    return { type: 'taken' };
  }
  if (together.type === 'unfit') log.warn({ uid, status: together.status, server: client.name }, 'listens.unfit');
  if (together.type === 'taken' || together.type === 'unfit') await dropListens(db, uid, listens);
  return together;
}

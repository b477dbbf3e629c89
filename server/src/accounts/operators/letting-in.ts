/**
 * What an operator does from their home page, each act noted in the operators' log in the same write. While no mail server
 * is set they let people in, on their word, and hand over links to new passwords; with one no person waits for them.
 */
import { type Result, type Uid, userStream, type WaitingPerson } from '@tunemate/protocol';
import { guess } from '../../access/spending.ts';
import { operatorLog } from '../../storage/operator-log.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { codeLifetimeMs } from '../../access/session.ts';
import { type AccountsDeps, audit, byOperator } from '../accounts-deps.ts';
import {
  findTicket,
  mailedLink,
  refuseTicket,
  replaceResetCode,
  signUpWithPassword,
  spendCodesOf,
} from '../sign-up/codes.ts';
import { endSignUp } from '../sign-up/rejection.ts';
import { forgetPlaceOf, takePlace } from '../sign-up/sign-up-gate.ts';
import { confirmSignUp } from '../sign-up/verification.ts';
import { ticketOf, type WaitingBrowser } from '../sign-up/waiting.ts';
import { type Account, accountByUid, noteLetIn } from '../users-store.ts';
import { isNewOperator, noteTold, spendOperatorCode } from './operators.ts';
import { dropWait, findWait, type Wait, waitingPeople } from './waits.ts';

/** How long a link works that an operator hands over. */
const handedOverMs = 60 * 60 * 1000;

export type LettingInService = ReturnType<typeof lettingInService>;

export function lettingInService(deps: AccountsDeps) {
  const { record, clock, ids, publicUrl, withoutMail } = deps;
  const noteOf = (operator: Uid) => operatorLog(ids, operator);

  /** `work` on a person who waits, read again under the lock of their stream. */
  async function answer<Value>(
    id: string,
    work: (writing: Writing, wait: Wait, account: Account) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    if (withoutMail === null) return refuse('access/not-found');
    const found = await findWait(record.db, id, clock.now());
    if (!found) return refuse('access/not-found');
    return await record.write([userStream(found.uid)], async (writing) => {
      const wait = await findWait(writing.db, id, writing.nowMs);
      const account = await accountByUid(writing.db, found.uid);
      if (!wait || !account) return refuse('access/not-found');
      const done = await work(writing, wait, account);
      if (done.ok) await withoutMail.tellOperators(writing);
      return done;
    });
  }

  const letIn = (operator: Uid, id: string): Promise<Result<Nothing>> =>
    answer(id, async (writing, wait, account) => {
      const { db, nowMs } = writing;
      const { uid } = account;
      if (wait.kind !== 'sign-up') return refuse('access/not-found');
      if (account.isVerified) return refuse('auth/already-verified');
      if (account.isDisabled) return refuse('auth/disabled');
      await takeWord(deps, writing, account, wait.password_hash);
      await noteOf(operator)(db, nowMs, 'people let-in', uid);
      return accept({});
    });

  const refuseOne = (operator: Uid, id: string): Promise<Result<Nothing>> =>
    answer(id, async (writing, wait, account) => {
      const { db, nowMs } = writing;
      const { uid } = account;
      if (wait.ticket_hash !== null) await refuseTicket(db, wait.ticket_hash);
      await dropWait(db, id);
      if (wait.kind === 'sign-up' && wait.password_hash !== null && !account.isVerified) {
        await audit(db, nowMs, 'account.sign-up-rejected', uid, byOperator);
        await endSignUp(writing, deps.sessions, account, wait.password_hash);
      }
      if (wait.kind === 'reset') await spendCodesOf(db, uid, nowMs, ['resetPassword']);
      await noteOf(operator)(db, nowMs, `people refuse ${wait.kind}`, uid);
      return accept({});
    });

  async function refuseAll(operator: Uid): Promise<Result<Nothing>> {
    // An answer that another operator gave meanwhile is as good.
    for (const { id } of await waitingPeople(record.db, clock.now())) await refuseOne(operator, id);
    return accept({});
  }

  const resetLink = (operator: Uid, id: string): Promise<Result<{ link: string }>> =>
    answer(id, async ({ db, nowMs }, wait, { uid }) => {
      if (wait.kind === 'sign-up') return refuse('access/not-found');
      const code = ids.newToken();
      // As old as a code is whose last hour this is.
      await replaceResetCode(db, uid, code, nowMs - (codeLifetimeMs - handedOverMs));
      await audit(db, nowMs, 'account.password-reset-requested', uid, byOperator);
      await noteOf(operator)(db, nowMs, 'people reset-link', uid);
      return accept({ link: mailedLink(publicUrl(), 'resetPassword', code) });
    });

  return {
    ...deskOf(deps),
    letIn,
    refuse: (operator: Uid, id: string | undefined) =>
      id === undefined ? refuseAll(operator) : refuseOne(operator, id),
    resetLink,
    runServer: (given: { ticket: string; code: string }, browser: WaitingBrowser) => runServer(deps, given, browser),
  };
}

/** What an operator's home page shows. */
function deskOf({ record, clock, withoutMail }: AccountsDeps) {
  return {
    async desk(uid: Uid): Promise<Result<{ isNew: boolean; waiting: WaitingPerson[] }>> {
      const waiting = withoutMail === null ? [] : await waitingPeople(record.db, clock.now());
      return accept({ isNew: await isNewOperator(record.db, uid), waiting });
    },
    async told(uid: Uid): Promise<Result<Nothing>> {
      await record.write([], ({ db }) => noteTold(db, uid));
      return accept({});
    },
  };
}

/** Takes the address as verified without a mail, with the name and password of this sign-up. */
async function takeWord(
  deps: AccountsDeps,
  writing: Writing,
  account: Account,
  passwordHash: string | null,
): Promise<void> {
  const { db, nowMs } = writing;
  const { uid } = account;
  const signUp = (await signUpWithPassword(db, uid, passwordHash)) ?? { ...account, invitationHash: null };
  // An operator's word counts more than a link of theirs that has no place left.
  if (!(await takePlace(db, uid, signUp.invitationHash))) await forgetPlaceOf(db, uid);
  await confirmSignUp(deps, writing, uid, signUp, { used: null, event: 'account.let-in', address: byOperator });
  await noteLetIn(db, uid, nowMs);
}

const isWrongCode = (answer: Result<unknown>): boolean => !answer.ok && answer.error.code === 'auth/code-invalid';

/** The first person of a server that is not reached by its loopback enters the code of its log. */
async function runServer(
  deps: AccountsDeps,
  { ticket, code }: { ticket: string; code: string },
  { waiting, network }: WaitingBrowser,
): Promise<Result<Nothing>> {
  const { record, clock, limits, withoutMail } = deps;
  const find = (db: Db) => findTicket(db, ticket, clock.now() - codeLifetimeMs);
  const counted = [
    ['verify', network],
    ['operatorCode', 'all'],
  ] as const;
  return await guess(limits, counted, isWrongCode, async () => {
    const uid = waiting !== null && ticketOf(waiting) === ticket ? (await find(record.db))?.uid : null;
    if (!uid) return refuse('auth/code-invalid');
    return await record.write([userStream(uid)], async (writing): Promise<Result<Nothing>> => {
      const { db, nowMs } = writing;
      const [found, account] = [await find(db), await accountByUid(db, uid)];
      const isRight = found?.uid === uid && account && (await spendOperatorCode(db, uid, code, nowMs));
      if (!isRight) return refuse('auth/code-invalid');
      await audit(db, nowMs, 'account.made-operator', uid, byOperator);
      if (withoutMail !== null && !account.isVerified) {
        await takeWord(deps, writing, account, found.signUp?.passwordHash ?? null);
      }
      return accept({});
    });
  });
}

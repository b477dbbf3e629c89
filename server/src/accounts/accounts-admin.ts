/**
 * The operator's actions on accounts and sign-up. They follow the same rules and streams as the users' own requests,
 * and each action is stored in the operator's log in the same write.
 */
import { type Result, type SignUpMode, type Uid, userStream } from '@tunemate/protocol';
import type { NoteAction } from '../storage/operator-log.ts';
import type { Listed, Part } from '../storage/pages.ts';
import type { Writing } from '../storage/record.ts';
import { accept, type Nothing, refuse } from '../system/ports.ts';
import { type AccountsDeps, audit, byOperator } from './accounts-deps.ts';
import { endOperator, makeOperator, operatorsOf } from './operators/operators.ts';
import type { RemovalService } from './removal.ts';
import { replaceResetCode, spendCodesOf } from './sign-up/codes.ts';
import {
  dropSignUpInvitation,
  forgetPlaceOf,
  insertSignUpInvitation,
  setSignUpMode,
  signUpInvitations,
  signUpModeOf,
} from './sign-up/sign-up-gate.ts';
import {
  type Account,
  accountByUid,
  findAccounts,
  type KnownAccount,
  markVerified,
  setDisabled,
} from './users-store.ts';

type AccountAdminDeps = Pick<AccountsDeps, 'record' | 'ids' | 'sessions' | 'publicUrl'> & {
  removal: RemovalService;
  note: NoteAction;
  /** Ends the rooms that this user hosts and their memberships, as if they had left. */
  leaveRooms: (uid: Uid) => Promise<void>;
};

export function accountAdminService({ record, ids, sessions, publicUrl, removal, note, leaveRooms }: AccountAdminDeps) {
  const find = (text: string, part: Part): Promise<Listed<KnownAccount>> => findAccounts(record.db, text, part);

  /** Marks the address as verified and invalidates all mailed links. */
  async function verify({ uid, isVerified }: Account): Promise<Result<Nothing>> {
    if (isVerified) return refuse('auth/already-verified');
    return await record.write([userStream(uid)], async ({ db, nowMs }) => {
      await markVerified(db, uid);
      await forgetPlaceOf(db, uid);
      await spendCodesOf(db, uid, nowMs);
      await audit(db, nowMs, 'account.email-verified', uid, byOperator);
      await note(db, nowMs, 'people verify', uid);
      return accept({});
    });
  }

  /** The same link as in the mail: one use, 24 hours. */
  async function resetLink({ uid }: Account): Promise<string> {
    const code = ids.newToken();
    await record.write([userStream(uid)], async ({ db, nowMs }) => {
      await replaceResetCode(db, uid, code, nowMs);
      await audit(db, nowMs, 'account.password-reset-requested', uid, byOperator);
      await note(db, nowMs, 'people reset-link', uid);
    });
    return `${publicUrl()}/auth/action?mode=resetPassword&oobCode=${code}`;
  }

  /** Refuses further sign-ins, signs the user out everywhere and removes them from every room. */
  async function disable({ uid }: Account): Promise<void> {
    await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      await setDisabled(db, uid, nowMs);
      await sessions.end(writing, uid, { type: 'all' });
      await audit(db, nowMs, 'account.disabled', uid, byOperator);
      await note(db, nowMs, 'people disable', uid);
    });
    await leaveRooms(uid);
  }

  async function enable({ uid }: Account): Promise<void> {
    await record.write([userStream(uid)], async ({ db, nowMs }) => {
      await setDisabled(db, uid, null);
      await audit(db, nowMs, 'account.enabled', uid, byOperator);
      await note(db, nowMs, 'people enable', uid);
    });
  }

  async function remove(account: Account): Promise<void> {
    const noted = ({ db, nowMs }: Writing) => note(db, nowMs, 'people delete', account.uid);
    // Also where the person changes the password meanwhile.
    for (let now: Account | null = account; now; now = await accountByUid(record.db, now.uid))
      await removal.remove(now, 'account.deleted', byOperator, noted);
  }

  async function addOperator({ uid }: Account): Promise<void> {
    await record.write([userStream(uid)], async ({ db, nowMs }) => {
      await makeOperator(db, uid, nowMs);
      await audit(db, nowMs, 'account.made-operator', uid, byOperator);
      await note(db, nowMs, 'operators add', uid);
    });
  }

  /** False when the person was none. */
  const removeOperator = ({ uid }: Account): Promise<boolean> =>
    record.write([userStream(uid)], async ({ db, nowMs }) => {
      const wasOne = await endOperator(db, uid);
      if (wasOne) await note(db, nowMs, 'operators remove', uid);
      return wasOne;
    });

  const operators = () => operatorsOf(record.db);
  return { find, verify, resetLink, disable, enable, remove, operators, addOperator, removeOperator };
}

export function signUpAdminService({
  record,
  clock,
  ids,
  publicUrl,
  note,
}: Pick<AccountsDeps, 'record' | 'clock' | 'ids' | 'publicUrl'> & { note: NoteAction }) {
  return {
    mode: () => signUpModeOf(record.db),
    setMode: (mode: SignUpMode) =>
      record.write([], async ({ db, nowMs }) => {
        await setSignUpMode(db, mode);
        await note(db, nowMs, 'sign-up', mode);
      }),
    /** A link for `usesLeft` sign-ups. */
    async invite(usesLeft: number, lastsMs: number): Promise<string> {
      const token = ids.newToken();
      await record.write([], async ({ db, nowMs }) => {
        const times = { createdAtMs: nowMs, expiresAtMs: nowMs + lastsMs };
        const id = await insertSignUpInvitation(db, token, { ...times, usesLeft });
        await note(db, nowMs, 'invite-link create', id);
      });
      return `${publicUrl()}/signup?invitation=${token}`;
    },
    invitations: () => signUpInvitations(record.db, clock.now()),
    /** False when no invitation has this id. */
    endInvitation: (id: string) =>
      record.write([], async ({ db, nowMs }) => {
        const isThere = await dropSignUpInvitation(db, id);
        if (isThere) await note(db, nowMs, 'invite-link end', id);
        return isThere;
      }),
  };
}

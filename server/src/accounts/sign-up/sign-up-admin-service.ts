/** What the operator does about signing up. Each action is noted in the operator's log in the same write. */
import type { SignUpMode } from '@tunemate/protocol';
import type { NoteAction } from '../../storage/operator-log.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import {
  dropSignUpInvitation,
  insertSignUpInvitation,
  setSignUpMode,
  signUpInvitations,
  signUpModeOf,
} from './sign-up-gate-store.ts';

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
    /** A link that so many people may sign up with. */
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
    /** False when there is none of this id. */
    endInvitation: (id: string) =>
      record.write([], async ({ db, nowMs }) => {
        const isThere = await dropSignUpInvitation(db, id);
        if (isThere) await note(db, nowMs, 'invite-link end', id);
        return isThere;
      }),
  };
}

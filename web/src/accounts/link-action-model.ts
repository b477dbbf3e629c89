/**
 * What a link in an e-mail asks for, carried out: verifying an address at once, choosing a new password by a form.
 * The code is spent by our POST only, never by opening the address (ACC-7).
 */
import type { Refusal, Result, RouteValue } from '@tunemate/protocol';
import type { CallRoute } from '../connection/http.ts';
import { cell, type Readable } from '../store/cell.ts';

export type LinkAction =
  | { readonly mode: 'verifyEmail'; readonly oobCode: string }
  | { readonly mode: 'resetPassword'; readonly oobCode: string }
  | { readonly mode: 'unknown' };

/** Reads the query of the address; a mode without its code is unknown too. */
export function readLinkAction(search: string): LinkAction {
  const query = new URLSearchParams(search);
  const mode = query.get('mode');
  const oobCode = query.get('oobCode') ?? '';
  if (oobCode === '' || (mode !== 'verifyEmail' && mode !== 'resetPassword')) return { mode: 'unknown' };
  return { mode, oobCode };
}

/** 'failed' means the link is of no use; 'unreachable' that the server could not be asked. */
export type Verification =
  | { readonly status: 'processing' }
  | {
      readonly status: 'verified';
      readonly name: string;
      /** This browser waited for it and is signed in. */
      readonly isSignedIn: boolean;
      /** Undoes it, where the sign-up may be somebody else's. */
      readonly rejectCode: string | null;
    }
  /** The account of somebody else's sign-up is gone. */
  | { readonly status: 'rejected' }
  | { readonly status: 'failed' }
  | { readonly status: 'unreachable'; readonly refusal: Refusal };

export interface VerificationModel {
  readonly verification: Readable<Verification>;
  /** Spends the code, once however often it is called; again after 'unreachable'. */
  start(): Promise<void>;
  /** Says that the sign-up was not this person's: the account goes. Null when it did, or why not. */
  reject(): Promise<Refusal | null>;
}

const tryLater = new Set<string>(['server/unavailable', 'server/busy', 'server/failed', 'limit/too-many']);

/** True when the same request may succeed later, so that the link is not to blame. */
export function isWorthRetrying(refusal: Refusal): boolean {
  return tryLater.has(refusal.code);
}

export function createVerificationModel(callRoute: CallRoute, oobCode: string): VerificationModel {
  const verification = cell<Verification>({ status: 'processing' });
  let isAsked = false;

  return {
    verification,
    async start() {
      if (isAsked) return;
      isAsked = true;
      verification.set({ status: 'processing' });
      const answer = await callRoute('POST /api/accounts/verify-email', { oobCode });
      verification.set(outcomeOf(answer));
      isAsked = verification.get().status !== 'unreachable';
    },
    async reject() {
      const now = verification.get();
      if (now.status !== 'verified' || now.rejectCode === null) return null;
      const answer = await callRoute('POST /api/accounts/reject-sign-up', { oobCode: now.rejectCode });
      if (!answer.ok) return answer.error;
      verification.set({ status: 'rejected' });
      return null;
    },
  };
}

function outcomeOf(answer: Result<RouteValue<'POST /api/accounts/verify-email'>>): Verification {
  if (answer.ok) return { status: 'verified', ...answer.value };
  if (isWorthRetrying(answer.error)) return { status: 'unreachable', refusal: answer.error };
  return { status: 'failed' };
}

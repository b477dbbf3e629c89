/**
 * The actions of links in e-mails: verifying an address at once, setting a new password with a form.
 * Only the POST uses up the code, never opening the address.
 */
import type { Refusal, Result, RouteValue } from '@tunemate/protocol';
import type { CallRoute } from '../../connection/http.ts';
import { cell, type Readable } from '../../store/cell.ts';

type LinkAction =
  | { readonly mode: 'verifyEmail' | 'resetPassword'; readonly oobCode: string }
  | { readonly mode: 'unknown' };

/** Reads the query of the address; a mode without its code is unknown too. */
export function readLinkAction(search: string): LinkAction {
  const query = new URLSearchParams(search);
  const mode = query.get('mode');
  const oobCode = query.get('oobCode') ?? '';
  if (oobCode === '' || (mode !== 'verifyEmail' && mode !== 'resetPassword')) return { mode: 'unknown' };
  return { mode, oobCode };
}

/** 'failed': the link is invalid or used up; 'unreachable': the server gave no answer. */
export type Verification =
  | { readonly status: 'processing' }
  | {
      readonly status: 'verified';
      readonly name: string;
      /** This browser signed up and is signed in now. */
      readonly isSignedIn: boolean;
      /** The code that deletes the account, where another person may have signed up with this address. */
      readonly rejectCode: string | null;
    }
  /** The account that another person had created was deleted. */
  | { readonly status: 'rejected' }
  | { readonly status: 'failed' }
  | { readonly status: 'unreachable'; readonly refusal: Refusal };

export interface VerificationModel {
  readonly verification: Readable<Verification>;
  /** Sends the code, once however often it is called; again after 'unreachable'. */
  start(): Promise<void>;
  /** Reports that another person signed up, which deletes the account. Null on success, else the refusal. */
  reject(): Promise<Refusal | null>;
}

const tryLater = new Set<string>(['server/unavailable', 'server/busy', 'server/failed', 'limit/too-many']);

/** True when the same request may succeed later, so the link may be valid. */
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

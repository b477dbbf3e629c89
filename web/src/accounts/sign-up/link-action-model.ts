/**
 * The actions of links in e-mails: verifying an address, setting a new password. Opening the address only reads what the
 * link can still do. It acts when the user presses a button, because scanners of mail open every link as well.
 */
import type { LinkMode, Refusal, RouteValue } from '@tunemate/protocol';
import type { CallRoute } from '../../connection/http.ts';
import { cell, type Readable } from '../../store/cell.ts';

type LinkAction = { readonly mode: LinkMode; readonly oobCode: string } | { readonly mode: 'unknown' };

/** The query of a mailed link, also of one that was copied out of the source of a page. */
export const linkQuery = (search: string): URLSearchParams => new URLSearchParams(search.replaceAll('&amp;', '&'));

/** Reads the query of the address, without what stands around a link in a text; a mode without its code is unknown too. */
export function readLinkAction(search: string): LinkAction {
  const query = linkQuery(search);
  const mode = query.get('mode');
  const [oobCode = ''] = /[\w-]+/.exec(query.get('oobCode') ?? '') ?? [];
  if (oobCode === '' || (mode !== 'verifyEmail' && mode !== 'resetPassword')) return { mode: 'unknown' };
  return { mode, oobCode };
}

type MailedLink = RouteValue<'GET /api/accounts/mailed-link'>;
/** What an open link would verify. */
export type MailedAccount = NonNullable<MailedLink['account']>;

/** An 'open' link is shown as such also when the server gave no answer: then the press says what is wrong. */
export async function readLink(callRoute: CallRoute, mode: LinkMode, oobCode: string): Promise<MailedLink> {
  const answer = await callRoute('GET /api/accounts/mailed-link', { mode, oobCode });
  return answer.ok ? answer.value : { status: 'open' };
}

/** 'failed': the link is invalid or used up; 'unreachable': the server gave no answer. */
export type Verification =
  | { readonly status: 'loading' }
  /** The user has to press the button. */
  | { readonly status: 'open'; readonly account: MailedAccount | null }
  | { readonly status: 'processing' }
  /** Another page or device has used the link. */
  | { readonly status: 'done' }
  | {
      readonly status: 'verified';
      readonly name: string;
      /** The address, where the page knew it before the press. */
      readonly email: string | null;
      /** This browser signed up and is signed in now. */
      readonly isSignedIn: boolean;
      /** The code that deletes the account, where another person may have signed up with this address. */
      readonly rejectCode: string | null;
    }
  /** The sign-up of another person has ended, or the account that it had become was deleted. */
  | { readonly status: 'rejected'; readonly was: 'sign-up' | 'account' }
  /** Without a refusal the link does not work. */
  | { readonly status: 'failed'; readonly refusal?: Refusal }
  | { readonly status: 'unreachable'; readonly refusal: Refusal };

export interface VerificationModel {
  readonly verification: Readable<Verification>;
  /** Reads what the link can still do. */
  look(): Promise<void>;
  /** Sends the code, once however often it is called; again after 'unreachable'. */
  start(): Promise<void>;
  /** Reports that another person signed up: before the press that sign-up ends, after it the account is deleted. */
  reject(): Promise<Refusal | null>;
}

const tryLater = new Set<string>(['server/unavailable', 'server/busy', 'server/failed', 'limit/too-many']);

/** True when the same request may succeed later, so the link may be valid. */
export function isWorthRetrying(refusal: Refusal): boolean {
  return tryLater.has(refusal.code);
}

export function createVerificationModel(callRoute: CallRoute, oobCode: string): VerificationModel {
  const verification = cell<Verification>({ status: 'loading' });
  let isAsked = false;
  let email: string | null = null;

  /** A link that was used may have done what it is for, in another browser or a moment ago in this one. */
  async function lookAgain(): Promise<Verification> {
    const { status } = await readLink(callRoute, 'verifyEmail', oobCode);
    return { status: status === 'done' ? 'done' : 'failed' };
  }

  return {
    verification,
    async look() {
      const { status, account = null } = await readLink(callRoute, 'verifyEmail', oobCode);
      if (verification.get().status !== 'loading') return;
      email = account?.email ?? null;
      if (status === 'open') verification.set({ status, account });
      else verification.set({ status: status === 'over' ? 'failed' : status });
    },
    async start() {
      if (isAsked) return;
      isAsked = true;
      verification.set({ status: 'processing' });
      const answer = await callRoute('POST /api/accounts/verify-email', { oobCode });
      if (answer.ok) verification.set({ status: 'verified', email, ...answer.value });
      else if (isWorthRetrying(answer.error)) verification.set({ status: 'unreachable', refusal: answer.error });
      else if (answer.error.code === 'auth/code-invalid') verification.set(await lookAgain());
      else verification.set({ status: 'failed', refusal: answer.error });
      isAsked = verification.get().status !== 'unreachable';
    },
    async reject() {
      const now = verification.get();
      const code = now.status === 'verified' ? now.rejectCode : now.status === 'open' ? oobCode : null;
      if (code === null) return null;
      const answer = await callRoute('POST /api/accounts/reject-sign-up', { oobCode: code });
      if (!answer.ok) return answer.error;
      verification.set({ status: 'rejected', was: now.status === 'open' ? 'sign-up' : 'account' });
      return null;
    },
  };
}

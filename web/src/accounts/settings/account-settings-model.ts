/**
 * The account settings: name, receipts, password, devices, blocked people and the export of data. The session model
 * ends the session; this one only sends the request. Lives as long as its screen.
 */
import type { Refusal, Result, RoutePayload, SessionRow, Uid, UserCard, UserDocument } from '@tunemate/protocol';
import { type CallRoute, refusedBy } from '../../connection/http.ts';
import type { Connection } from '../../connection/port.ts';
import { cell, type Readable } from '../../store/cell.ts';

type Listed<Item> =
  | { readonly status: 'unknown' }
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly refusal: Refusal }
  | { readonly status: 'known'; readonly items: readonly Item[] };

export interface AccountSettingsModel {
  /** The devices on which the user is signed in, this one first. */
  readonly sessions: Readable<Listed<SessionRow>>;
  /** Unknown until `loadBlocked`; `name` is empty when the account was deleted. */
  readonly blocked: Readable<Listed<UserCard>>;
  loadSessions(): Promise<void>;
  loadBlocked(): Promise<void>;
  /** Returns the user's document after the change. */
  update(changes: RoutePayload<'PATCH /api/accounts/me'>): Promise<Result<UserDocument>>;
  /** Refusals: auth/invalid-credentials, auth/password-weak. Every other device is signed out. */
  changePassword(currentPassword: string, password: string): Promise<Result<object>>;
  /** A session that is already over counts as ended. */
  endSession(sessionId: string): Promise<Result<object>>;
  unblock(uid: Uid): Promise<Result<object>>;
  /** All data of the user, as a JSON file. */
  exportAll: FetchOwnData;
}

export function createAccountSettingsModel(
  callRoute: CallRoute,
  connection: Connection,
  exportAll: FetchOwnData,
): AccountSettingsModel {
  const sessions = cell<Listed<SessionRow>>({ status: 'unknown' });
  const blocked = cell<Listed<UserCard>>({ status: 'unknown' });

  async function loadSessions(): Promise<void> {
    if (sessions.get().status !== 'known') sessions.set({ status: 'loading' });
    const answer = await callRoute('GET /api/accounts/sessions', {});
    sessions.set(
      answer.ok
        ? { status: 'known', items: thisDeviceFirst(answer.value.sessions) }
        : { status: 'failed', refusal: answer.error },
    );
  }

  async function loadBlocked(): Promise<void> {
    blocked.set({ status: 'loading' });
    const answer = await connection.request('chats/blocked', {});
    blocked.set(
      answer.ok ? { status: 'known', items: answer.value.people } : { status: 'failed', refusal: answer.error },
    );
  }

  return {
    sessions,
    blocked,
    loadSessions,
    loadBlocked,
    update: (changes) => callRoute('PATCH /api/accounts/me', changes),
    async changePassword(currentPassword, password) {
      const answer = await callRoute('POST /api/accounts/change-password', { currentPassword, password });
      if (answer.ok) await loadSessions();
      return answer;
    },
    async endSession(sessionId) {
      const answer = await callRoute('POST /api/accounts/revoke-session', { sessionId });
      if (!answer.ok && answer.error.code !== 'access/not-found') return answer;
      sessions.update((list) => without(list, (row) => row.sessionId === sessionId));
      return { ok: true, value: {} };
    },
    async unblock(uid) {
      const answer = await connection.request('chats/block', { uid, isBlocked: false });
      if (answer.ok) blocked.update((list) => without(list, (card) => card.uid === uid));
      return answer;
    },
    exportAll,
  };
}

function thisDeviceFirst(rows: readonly SessionRow[]): readonly SessionRow[] {
  return rows.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt - a.lastSeenAt);
}

function without<Item>(list: Listed<Item>, isGone: (item: Item) => boolean): Listed<Item> {
  return list.status === 'known' ? { ...list, items: list.items.filter((item) => !isGone(item)) } : list;
}

/** The timeout until the file begins; the download itself has none. */
const timeoutMs = 30_000;

/**
 * Downloads the export of the user's data. It may be large: the browser keeps it outside the page's memory. Never throws; a
 * file that is cut off is server/unavailable.
 */
type FetchOwnData = () => Promise<Result<Blob>>;

export function createFetchOwnData(fetch: typeof globalThis.fetch): FetchOwnData {
  return async () => {
    const givingUp = new AbortController();
    const timer = setTimeout(() => givingUp.abort(), timeoutMs);
    try {
      const response = await fetch('/api/accounts/export', {
        credentials: 'same-origin',
        cache: 'no-store',
        signal: givingUp.signal,
      });
      clearTimeout(timer);
      // Something between may answer in the server's place, and its page is not the person's data.
      const isFile = response.ok && response.headers.get('content-type')?.startsWith('application/json');
      return isFile ? { ok: true, value: await response.blob() } : await refusedBy(response);
    } catch {
      return { ok: false, error: { code: 'server/unavailable' } };
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * The session of this browser, which its cookie identifies: signing in and out, over HTTP; and the user this page
 * belongs to. Knows nothing of the socket connection; the app starts and stops it with the session.
 */
import type { AppConfig, Refusal, Result, SessionState, Uid, UserDocument } from '@tunemate/protocol';
import type { CallRoute } from '../../connection/http.ts';
import { takeLinkChoices } from '../../store/link-address.ts';
import { cell, type Readable, signal, type Unsubscribe } from '../../store/cell.ts';

type Session =
  | { readonly status: 'loading' }
  /** The server gave no answer, or an error; `load` tries again. */
  | { readonly status: 'unreachable'; readonly refusal: Refusal }
  | SessionState;

export interface SessionModel {
  readonly session: Readable<Session>;
  /** Null until the server has answered; nothing waits for it. */
  readonly config: Readable<AppConfig | null>;
  /** Asks the server for the session. The current state stays until there is an answer; 'unreachable' only 'quietly'. */
  load(how?: 'quietly'): Promise<void>;
  /**
   * As `load`, after the server has signed this browser in by a link; counts as a sign-in even if `load` saw it first.
   */
  takeSignIn(): Promise<void>;
  /** Ok with 'signed-in' or 'unverified'; the session shows the same. */
  signIn(email: string, password: string): Promise<Result<SessionState>>;
  /**
   * Ends the session. `leaving` replaces the request: signing out everywhere, or deleting the account. The caller
   * reloads the page; a refusal changes nothing.
   */
  signOut(leaving?: () => Promise<Result<object>>): Promise<Result<object>>;
  /** Signs the page in as this device knows the user; false once the server has answered. */
  takeKept(user: UserDocument): boolean;
  /** Changes of the current user's document; ignored when no user is signed in. */
  takeUser(changed: UserChanges): void;
  /**
   * Called once for each sign-in and sign-out on this page, with the user's document and after `config` was asked for.
   * Not called for a user who was already signed in when the page was opened.
   */
  onSignedIn(listener: (user: UserDocument) => void): Unsubscribe;
  onSignedOut(listener: (uid: string) => void): Unsubscribe;
}

export function createSessionModel(callRoute: CallRoute): SessionModel {
  const session = cell<Session>({ status: 'loading' });
  const { config, loadConfig } = createConfig(callRoute);
  const signedIn = signal<UserDocument>();
  const signedOut = signal<string>();
  let isAnnounced = false;
  /** Rises with each change of the session, so that an older answer does not undo a newer one. */
  let round = 0;

  async function announce(): Promise<void> {
    const now = session.get();
    if (now.status !== 'signed-in' || isAnnounced) return;
    isAnnounced = true;
    // Listeners need the settings: the address for token sync is one of them.
    await loadConfig();
    signedIn.emit(now.user);
  }

  async function loadSession(isSure = false): Promise<void> {
    const asked = (round += 1);
    const answer = await callRoute('GET /api/session', {});
    if (asked !== round) return;
    const before = session.get().status;
    if (answer.ok) {
      const isOver = before === 'signed-in' && answer.value.status === 'signed-out';
      if (isOver && !isSure) return await cookieTime().then(() => loadSession(true));
      session.set(answer.value);
      if (answer.value.status !== 'signed-in') isAnnounced = false;
      if (before === 'unverified' || before === 'signed-out') await announce();
    } else if (before === 'loading' || before === 'unreachable') {
      session.set({ status: 'unreachable', refusal: answer.error });
    }
  }

  return {
    session,
    config,
    async load(how) {
      if (how !== 'quietly' && session.get().status === 'unreachable') session.set({ status: 'loading' });
      await Promise.all([loadSession(), loadConfig()]);
    },
    async takeSignIn() {
      await loadSession();
      await announce();
    },
    async signIn(email, password) {
      const answer = await callRoute('POST /api/accounts/sign-in', { email, password });
      if (!answer.ok) return answer;
      round += 1;
      session.set(answer.value);
      isAnnounced = false;
      await announce();
      return answer;
    },
    async signOut(leaving = () => callRoute('POST /api/accounts/sign-out', {})) {
      const before = session.get();
      const answer = await leaving();
      // A session that is already over counts as signed out.
      if (!answer.ok && answer.error.code !== 'auth/required') return answer;
      round += 1;
      if (before.status === 'signed-in') signedOut.emit(before.user.uid);
      isAnnounced = false;
      session.set({ status: 'signed-out' });
      return { ok: true, value: {} };
    },
    takeKept(user) {
      const { status } = session.get();
      if (status !== 'loading' && status !== 'unreachable') return false;
      session.set({ status: 'signed-in', user });
      return true;
    },
    takeUser(changed) {
      const current = session.get();
      if (current.status === 'signed-in') session.set({ ...current, user: withChanges(current.user, changed) });
    },
    onSignedIn: (listener) => signedIn.subscribe(listener),
    onSignedOut: (listener) => signedOut.subscribe(listener),
  };
}

/**
 * Another window that signs in again ends the session of this one before the browser has the new cookie. What a page
 * without a session deletes, such as drafts, would be lost.
 */
const cookieTime = () => new Promise((resolve) => void setTimeout(resolve, 2000));

/** The server's settings; loaded again until a request succeeds. */
function createConfig(callRoute: CallRoute) {
  const config = cell<AppConfig | null>(null);
  async function loadConfig(): Promise<void> {
    if (config.get() !== null) return;
    const answer = await callRoute('GET /api/config', {});
    if (!answer.ok) return;
    takeLinkChoices(answer.value.linkChoices ?? []);
    config.set(answer.value);
  }
  return { config, loadConfig };
}

/** One of an older version leaves something out. */
type UserChanges = Omit<Partial<UserDocument>, 'linkPreviews'> & { linkPreviews?: boolean | undefined };

function withChanges(before: UserDocument, { name, readReceipts, linkPreviews, ...rest }: UserChanges): UserDocument {
  const user = { ...before, ...rest };
  return {
    ...user,
    name: name ?? user.name,
    readReceipts: readReceipts ?? user.readReceipts,
    linkPreviews: linkPreviews ?? user.linkPreviews,
  };
}

/**
 * The user this page belongs to: the first one signed in on it. Models, drafts and messages in the outbox are theirs,
 * so the page reloads for another user. The session may change without a load: by a sign-in after the one before ended
 * elsewhere, or while the device slept.
 */
export interface PageOwner {
  /** Null until a user is signed in. */
  get(): Uid | null;
  /** False when the page belongs to another user. */
  take(uid: Uid): boolean;
}

export function createPageOwner(): PageOwner {
  let owner: Uid | null = null;
  return {
    get: () => owner,
    take(uid) {
      owner ??= uid;
      return uid === owner;
    },
  };
}

/**
 * Notifies another system of the operator when a user signs in or out here: POST on sign-in, DELETE on sign-out,
 * with the cookies of that system. Does nothing without an address. Nothing waits for it, and a failure is only written to
 * the browser's console.
 */
export async function syncToken(
  fetch: typeof globalThis.fetch,
  url: string | null,
  method: 'POST' | 'DELETE',
  uid: string,
): Promise<void> {
  if (url === null) return;
  try {
    const response = await fetch(url, {
      method,
      credentials: 'include',
      // The page may be reloading right now.
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uid }),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
  } catch (cause) {
    reportError(new Error(`accounts.token-sync-failed ${method}`, { cause }));
  }
}

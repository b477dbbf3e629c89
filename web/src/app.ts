/**
 * Creates the models that live as long as the page, and keeps the connection open while a user is signed in. Screens
 * get the models through app-context.ts; `rooms/visit` creates those of a room.
 */
import { protocolVersion, type Uid, type YourRoom } from '@tunemate/protocol';
import {
  createPageOwner,
  createSessionModel,
  type PageOwner,
  type SessionModel,
  syncToken,
} from './accounts/sign-in/session-model.ts';
import { createLazyChats, type LazyChats } from './chats/lazy-chats.ts';
import { claimTabId, leaveTabId, newUuid } from './connection/ids.ts';
import { createConnection, type DrivenConnection } from './connection/connection.ts';
import { createCallRoute, type CallRoute } from './connection/http.ts';
import type { Reach } from './connection/reach.ts';
import { isInstalled, restoreHome } from './shell/kept-home.ts';
import { keepTypedText, reloadOnce, watchPage } from './shell/page-life.ts';
import type { Connection, OpenLink } from './connection/port.ts';
import { cell, type Cell, type Readable } from './store/cell.ts';
import { deviceClock } from './store/clock.ts';
import { afterFirstSound } from './store/first-sound.ts';
import { openSocketLink } from './connection/socket-link.ts';
import { createChatbotPopupModel, type ChatbotPopupModel } from './home/chatbot-popup-model.ts';
import { createNotificationsModel, type NotificationsModel } from './notifications/notifications-model.ts';
import { createTaps, type Taps } from './store/taps.ts';
import { createCurrentVisit, type CurrentVisit } from './rooms/visit/current-visit.ts';
import { createSoulmateModel, type SoulmateModel } from './soulmate/soulmate-model.ts';
import { createKept, type Kept } from './store/kept.ts';
import { deviceStorage, tabStorage } from './store/lenient-storage.ts';
import type { Hears } from './people/hearing-model.ts';
import { createTunematesModel, type TunematesModel } from './tunemates/tunemates-model.ts';

export interface App {
  /** The user who was signed in on this page first. */
  readonly pageOwner: PageOwner;
  readonly callRoute: CallRoute;
  /** For requests outside the protocol, such as files. */
  readonly fetch: typeof globalThis.fetch;
  readonly session: SessionModel;
  readonly connection: Connection;
  readonly reconnectNow: () => void;
  readonly tunemates: TunematesModel;
  readonly soulmate: SoulmateModel;
  /** What soulmate and tunemates hear, of those who show it. */
  readonly hearing: Cell<Hears>;
  readonly notifications: NotificationsModel;
  readonly chatbotPopup: ChatbotPopupModel;
  readonly chats: LazyChats;
  readonly visit: CurrentVisit;
  /** The live rooms of the user, while home shows them; null until they are known. */
  readonly yourRooms: Cell<readonly YourRoom[] | null>;
  readonly taps: Taps;
  /**
   * What answered at the server's address after code of this page could not be fetched; `part` when the code is there
   * and this page can't take it. Null while nothing is missing.
   */
  readonly lostPart: Readable<LostPart>;
  /** A newer version of the page is stored on this device. */
  readonly hasNewer: Readable<boolean>;
  /**
   * How this device can keep the app: by the browser's question, or by the steps of an iPhone; null when nothing is
   * offered.
   */
  readonly installing: Cell<InstallWay | null>;
  /** An estimate of the server's clock in milliseconds, accurate to about a second: for dates and 'today'. */
  readonly serverNowMs: () => number;
}

export type LostPart = Reach | 'part' | null;

/** Whether only loading the page anew brings the code. Else it is away for a time, or nothing is missing. */
export const needsReload = (lost: LostPart): lost is 'ours' | 'part' => lost === 'ours' || lost === 'part';

/** The function asks the user, and resolves with the answer given. */
type InstallWay = 'steps' | (() => Promise<unknown>);

const refusedAgainAfterMs = 5000;
/** The server did not answer, or a proxy answered in its place. */
const isAway = new Set(['server/unavailable', 'server/busy']);

export function reloadOutdated(): void {
  // Afterwards the notice of an outdated page asks for it.
  reloadOnce(tabStorage, { page: location, keep: () => keepTypedText(tabStorage), nowMs: Date.now() });
}

/** How a page starts, by its address. */
export interface Opening {
  readonly connects: boolean;
  readonly showsKept: boolean;
}

export interface ServerPorts {
  readonly fetch: typeof globalThis.fetch;
  readonly openLink: OpenLink;
}

const pageServer: ServerPorts = { fetch: (path, init) => fetch(path, init), openLink: openSocketLink };

export interface StartedApp extends App {
  readonly connection: DrivenConnection;
  readonly lostPart: Cell<LostPart>;
  readonly hasNewer: Cell<boolean>;
  readonly kept: Kept;
}

/** Sends nothing to the server before `startApp`. */
export function createApp(server: ServerPorts = pageServer): StartedApp {
  const callRoute = createCallRoute(server.fetch);
  // The address of this code changes with each version.
  const kept = createKept(globalThis.caches, deviceStorage, import.meta.url);
  const pageOwner = createPageOwner();
  const connection = createConnection({
    owner: pageOwner.get,
    openLink: server.openLink,
    clock: deviceClock,
    random: () => Math.random(),
    tabId: claimTabId(tabStorage, newUuid),
    protocolVersion,
  });
  let serverAheadMs = 0;
  connection.onUserSnapshot((snapshot) => {
    serverAheadMs = snapshot.serverNowMs - Date.now();
  });
  const serverNowMs = (): number => Date.now() + serverAheadMs;
  return {
    callRoute,
    fetch: server.fetch,
    connection,
    reconnectNow: () => (connection.status.get().status === 'refused' ? connection.start() : connection.wake()),
    pageOwner,
    session: createSessionModel(callRoute),
    tunemates: createTunematesModel(connection),
    soulmate: createSoulmateModel(connection),
    hearing: cell<Hears>(new Map()),
    notifications: createNotificationsModel(connection),
    chatbotPopup: createChatbotPopupModel(deviceStorage),
    chats: createLazyChats({
      connection,
      clock: { ...deviceClock, now: serverNowMs },
      storage: deviceStorage,
      fetch: server.fetch,
      kept,
    }),
    kept,
    hasNewer: cell(false),
    installing: cell<InstallWay | null>(null),
    visit: createCurrentVisit(),
    yourRooms: cell<readonly YourRoom[] | null>(null),
    taps: createTaps(() => Date.now()),
    lostPart: cell<LostPart>(null),
    serverNowMs,
  };
}

/**
 * Loads the code of an installed app when it is of use, and deletes what the device stored of a user who is signed out.
 */
function watchInstalled(app: StartedApp): void {
  const { session, connection } = app;
  // Without a network the code may be missing too.
  const withInstalled = (use: (code: typeof import('./shell/installed.ts')) => unknown): void =>
    void import('./shell/installed.ts').then(use).catch(() => undefined);
  session.session.subscribe(() => {
    const now = session.session.get();
    if (now.status === 'signed-out') {
      void app.kept.clear();
      void import('./shell/forget-user.ts').then((code) => code.forgetUser(window)).catch(() => undefined);
    }
    if (now.status === 'unreachable' && isAway.has(now.refusal.code)) restoreHome(app);
  });
  const first = connection.onUserSnapshot((snapshot) => {
    // What this device stored is no news to store.
    if (connection.status.get().status !== 'live') return;
    first();
    // Home draws it with its lists; the code that follows the changes comes later.
    app.hearing.set(new Map((snapshot.hears ?? []).map((one) => [one.uid, one])));
    void afterFirstSound().then(() => {
      withInstalled(({ keepInstalled }) => keepInstalled(app, snapshot, window));
      import('./people/hearing-model.ts')
        .then(({ followHearing }) => followHearing(connection, app.hearing, snapshot))
        .catch(() => undefined);
    });
  });
}

/**
 * Loads the session and keeps the connection in step with it; resolves once the session is known. With `connects` the
 * connection opens before that: for a visitor the server refuses it. With `showsKept` the session of an
 * installed app is first what this device stored of the user, if there is any, until the server answers.
 */
export function startApp(app: StartedApp, { connects, showsKept }: Opening): Promise<void> {
  const { session, connection, pageOwner, chatbotPopup } = app;
  const signedInUid = (): Uid | null => {
    const now = session.session.get();
    return now.status === 'signed-in' ? now.user.uid : null;
  };
  /** A page of another user is loaded anew, before anything is shown or sent. */
  const isOwners = (uid: Uid): boolean => {
    if (pageOwner.take(uid)) return true;
    connection.stop();
    // Else the new page would begin as the user whose data is stored.
    void app.kept.clear().then(() => location.reload());
    return false;
  };
  /** Undefined until the session is known. */
  let connectedUid: Uid | null | undefined;
  const applySession = (): void => {
    connectedUid = signedInUid();
    if (connectedUid === null) connection.stop();
    else if (isOwners(connectedUid)) connection.start();
  };
  const syncNow = (method: 'POST' | 'DELETE', uid: string): void =>
    void syncToken((url, init) => fetch(url, init), session.config.get()?.tokenSyncUrl ?? null, method, uid);

  session.session.subscribe(() => {
    // An answer with the same user must not reopen a connection that was refused a moment ago.
    if (signedInUid() !== connectedUid) applySession();
  });
  session.config.subscribe(() => {
    if (session.config.get()?.protocolVersion !== protocolVersion) reloadOutdated();
  });
  session.onSignedIn(({ uid }) => {
    chatbotPopup.renew();
    syncNow('POST', uid);
  });
  session.onSignedOut((uid) => syncNow('DELETE', uid));
  watchInstalled(app);

  // The first hello may come before the session, and so names no user.
  connection.onUserSnapshot(({ user }) => isOwners(user.uid) && session.takeUser(user));
  connection.onUserChange((change) => change.type === 'accounts/changed' && session.takeUser(change));
  connection.status.subscribe(() => {
    const now = connection.status.get();
    if (now.status === 'outdated') reloadOutdated();
    // It rests until its user wants it: two pages would take each other's place in turn.
    if (now.status === 'refused' && now.code === 'session/elsewhere') return;
    if (now.status !== 'refused' || session.session.get().status === 'loading') return;
    void session.load().then(() => {
      // A session that is over has stopped the connection; one that HTTP accepts was refused only temporarily.
      setTimeout(() => {
        if (connection.status.get().status === 'refused') applySession();
      }, refusedAgainAfterMs);
    });
  });

  watchPage(window, {
    onHidden: () => app.kept.storeNow(),
    onGone() {
      app.kept.storeNow();
      leaveTabId(tabStorage, connection.tabId);
      connection.stop();
    },
    onBack() {
      claimTabId(tabStorage, newUuid);
      applySession();
    },
    onWake() {
      connection.wake();
      // The user may have signed in or verified the address in another tab, or the server may be available again.
      const { status } = session.session.get();
      if (status !== 'signed-in' && status !== 'loading') void session.load();
    },
  });
  const isShown = showsKept && isInstalled() && restoreHome(app);
  if (connects) connection.start();
  const loaded = session.load();
  return isShown ? Promise.resolve() : loaded;
}

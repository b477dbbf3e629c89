/**
 * Builds everything that lives as long as the page and connects its parts: the connection is open while a user is
 * signed in. Screens get its models through app-context.ts; those of a room begin and end with it (`rooms/visit`).
 */
import { protocolVersion, type Uid } from '@tunemate/protocol';
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
import { keepTypedText, reloadOnce, watchPage } from './shell/page-life.ts';
import type { Connection, OpenLink } from './connection/port.ts';
import { deviceClock } from './store/clock.ts';
import { openSocketLink } from './connection/socket-link.ts';
import { createChatbotPopupModel, type ChatbotPopupModel } from './home/chatbot-popup-model.ts';
import { createNotificationsModel, type NotificationsModel } from './notifications/notifications-model.ts';
import { createCurrentVisit, type CurrentVisit } from './rooms/visit/current-visit.ts';
import { createSoulmateModel, type SoulmateModel } from './soulmate/soulmate-model.ts';
import { deviceStorage, tabStorage } from './store/lenient-storage.ts';
import { createTunematesModel, type TunematesModel } from './tunemates/tunemates-model.ts';

export interface App {
  readonly callRoute: CallRoute;
  /** For requests outside the protocol, such as files. */
  readonly fetch: typeof globalThis.fetch;
  readonly session: SessionModel;
  readonly connection: Connection;
  /** Tries to reconnect at once, instead of after the wait. */
  readonly reconnectNow: () => void;
  readonly tunemates: TunematesModel;
  readonly soulmate: SoulmateModel;
  readonly notifications: NotificationsModel;
  readonly chatbotPopup: ChatbotPopupModel;
  readonly chats: LazyChats;
  /** The room that this tab visits; null for none. */
  readonly visit: CurrentVisit;
  /** An estimate of the server's clock in milliseconds, accurate to about a second: for dates and 'today'. */
  readonly serverNowMs: () => number;
}

const refusedAgainAfterMs = 5000;

function reloadOutdated(): void {
  reloadOnce(tabStorage, { page: location, keep: () => keepTypedText(tabStorage), nowMs: Date.now() });
}

/** The two ways from the page to its server. */
export interface ServerPorts {
  readonly fetch: typeof globalThis.fetch;
  readonly openLink: OpenLink;
}

const pageServer: ServerPorts = { fetch: (path, init) => fetch(path, init), openLink: openSocketLink };

/** Builds the app; nothing is asked of the server before `startApp`. */
export function createApp(
  server: ServerPorts = pageServer,
): App & { readonly connection: DrivenConnection; readonly pageOwner: PageOwner } {
  const callRoute = createCallRoute(server.fetch);
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
    reconnectNow: connection.wake,
    pageOwner,
    session: createSessionModel(callRoute),
    tunemates: createTunematesModel(connection),
    soulmate: createSoulmateModel(connection),
    notifications: createNotificationsModel(connection),
    chatbotPopup: createChatbotPopupModel(deviceStorage),
    chats: createLazyChats({
      connection,
      clock: { ...deviceClock, now: serverNowMs },
      storage: deviceStorage,
      fetch: server.fetch,
    }),
    visit: createCurrentVisit(),
    serverNowMs,
  };
}

export interface StartOptions {
  /** The address is a room's: the connection is opened while the session is still being loaded. */
  readonly isHurried: boolean;
}

/** Loads the session and keeps connection, session and page in step from then on. */
export function startApp(
  { session, connection, pageOwner, chatbotPopup, callRoute }: ReturnType<typeof createApp>,
  { isHurried }: StartOptions,
): void {
  const signedInUid = (): Uid | null => {
    const now = session.session.get();
    return now.status === 'signed-in' ? now.user.uid : null;
  };
  /** Undefined until the session is known. */
  let followedUid: Uid | null | undefined;
  const followSession = (): void => {
    followedUid = signedInUid();
    if (followedUid === null) connection.stop();
    else if (pageOwner.take(followedUid)) connection.start();
    else {
      connection.stop();
      location.reload();
    }
  };
  const syncNow = (method: 'POST' | 'DELETE', uid: string): void =>
    void syncToken((url, init) => fetch(url, init), session.config.get()?.tokenSyncUrl ?? null, method, uid);

  session.session.subscribe(() => {
    // An answer with the same user must not open a connection that was refused a moment ago.
    if (signedInUid() !== followedUid) followSession();
  });
  session.config.subscribe(() => {
    if (session.config.get()?.protocolVersion !== protocolVersion) reloadOutdated();
  });
  session.onSignedIn(({ uid }) => {
    chatbotPopup.renew();
    syncNow('POST', uid);
    // A device that receives push messages receives them for the user who has just signed in.
    void import('./notifications/push.ts').then(({ createPush }) => createPush(callRoute, window).renew());
  });
  session.onSignedOut((uid) => syncNow('DELETE', uid));

  connection.onUserSnapshot(({ user }) => session.takeUser(user));
  connection.onUserChange((change) => {
    if (change.type === 'accounts/changed') session.takeUser(change);
  });
  connection.status.subscribe(() => {
    const { status } = connection.status.get();
    if (status === 'outdated') reloadOutdated();
    // While the session is loading, its answer decides.
    if (status !== 'refused' || session.session.get().status === 'loading') return;
    void session.load().then(() => {
      // A session that is over closed the connection; one that HTTP still accepts was refused for the time being.
      setTimeout(() => {
        if (connection.status.get().status === 'refused') followSession();
      }, refusedAgainAfterMs);
    });
  });

  watchPage(window, {
    onGone() {
      leaveTabId(tabStorage, connection.tabId);
      connection.stop();
    },
    onBack() {
      claimTabId(tabStorage, newUuid);
      followSession();
    },
    onWake() {
      connection.wake();
      // The address may be verified in another tab, or the server available again.
      const { status } = session.session.get();
      if (status === 'unverified' || status === 'unreachable') void session.load();
    },
  });
  void session.load();
  if (isHurried) connection.start();
}

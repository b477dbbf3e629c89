/**
 * Builds everything that lives as long as the page, and joins it: who is signed in decides whether there is a connection.
 * The only file that knows every model; screens get them through app-context.ts.
 */
import { protocolVersion } from '@tunemate/protocol';
import { createSessionModel, type SessionModel } from './accounts/session-model.ts';
import { syncToken } from './accounts/token-sync.ts';
import { createLazyChats, type LazyChats } from './chats/lazy-chats.ts';
import { newUuid } from './connection/client-id.ts';
import { createConnection, type DrivenConnection } from './connection/connection.ts';
import { createCallRoute, type CallRoute } from './connection/http.ts';
import { watchPage } from './connection/page-life.ts';
import type { Connection } from './connection/port.ts';
import { deviceClock, type OpenLink } from './connection/ports.ts';
import { openSocketLink } from './connection/socket-link.ts';
import { claimTabId, leaveTabId } from './connection/tab-id.ts';
import { createChatbotPopupModel, type ChatbotPopupModel } from './screens/home/chatbot-popup-model.ts';
import { createNotificationsModel, type NotificationsModel } from './notifications/notifications-model.ts';
import { reloadOnce } from './shell/reload-once.ts';
import { keepTypedText } from './shell/typed-text.ts';
import { createSoulmateModel, type SoulmateModel } from './soulmate/soulmate-model.ts';
import { deviceStorage, tabStorage } from './store/lenient-storage.ts';
import { createTunematesModel, type TunematesModel } from './tunemates/tunemates-model.ts';

export interface App {
  readonly callRoute: CallRoute;
  /** For what is no request of the protocol, such as files. */
  readonly fetch: typeof globalThis.fetch;
  readonly session: SessionModel;
  readonly connection: Connection;
  /** Tries a broken line at once, instead of when its turn comes. */
  readonly tryLineNow: () => void;
  readonly tunemates: TunematesModel;
  readonly soulmate: SoulmateModel;
  readonly notifications: NotificationsModel;
  readonly chatbotPopup: ChatbotPopupModel;
  readonly chats: LazyChats;
  /** The server's clock as this device knows it, in milliseconds; good to a second, for dates and 'today'. */
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

const ownServer: ServerPorts = { fetch: (path, init) => fetch(path, init), openLink: openSocketLink };

/** Builds the app; nothing is asked of the server before `startApp`. */
export function createApp(server: ServerPorts = ownServer): App & { readonly connection: DrivenConnection } {
  const callRoute = createCallRoute(server.fetch);
  const connection = createConnection({
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
    tryLineNow: connection.wake,
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
    serverNowMs,
  };
}

export interface StartOptions {
  /** A room is behind this address: the line is opened while the server is still being asked who is here. */
  readonly isHurried: boolean;
}

/** Asks who is here and keeps connection, session and page in step from then on. */
export function startApp(
  { session, connection, chatbotPopup, callRoute }: ReturnType<typeof createApp>,
  { isHurried }: StartOptions,
): void {
  const isSignedIn = (): boolean => session.session.get().status === 'signed-in';
  const followSession = (): void => (isSignedIn() ? connection.start() : connection.stop());
  const syncNow = (method: 'POST' | 'DELETE', uid: string): void =>
    void syncToken((url, init) => fetch(url, init), session.config.get()?.tokenSyncUrl ?? null, method, uid);

  session.session.subscribe(followSession);
  session.config.subscribe(() => {
    if (session.config.get()?.protocolVersion !== protocolVersion) reloadOutdated();
  });
  session.onSignedIn(({ uid }) => {
    chatbotPopup.renew();
    syncNow('POST', uid);
    // A device that takes push messages takes them for whoever is signed in here now.
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
    // Before it is known who is here, the answer to that is on its way.
    if (status !== 'refused' || session.session.get().status === 'loading') return;
    void session.load().then(() => {
      // Still signed in by HTTP's account: the refusal was of the moment.
      if (isSignedIn()) setTimeout(followSession, refusedAgainAfterMs);
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
      // Verified in another tab, or the server is back.
      const { status } = session.session.get();
      if (status === 'unverified' || status === 'unreachable') void session.load();
    },
  });
  void session.load();
  if (isHurried) connection.start();
}

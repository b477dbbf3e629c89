/**
 * What makes the page work as an installed app: the worker that stores its files, the user's home as it was when there was
 * a network last, the number of unread things on the app's picture, and whether a newer version is there. Loaded once the
 * page has started and is connected.
 */
import type { ConversationRow, Uid, UserSnapshot } from '@tunemate/protocol';
import type { SessionModel } from '../accounts/sign-in/session-model.ts';
import type { DrivenConnection } from '../connection/connection.ts';
import type { CallRoute } from '../connection/http.ts';
import { type NotificationsModel, unreadCount } from '../notifications/notifications-model.ts';
import { createPush } from '../notifications/push.ts';
import { closeSeen } from '../notifications/shown.ts';
import type { Cell, Readable } from '../store/cell.ts';
import { workerPath } from '../language/worker-path.ts';
import { deviceStorage } from '../store/lenient-storage.ts';
import type { Kept } from '../store/kept.ts';
import { isInstalled, isWaiting, type KeptHome } from './kept-home.ts';

/** The part of the page's app that this reads and drives. */
export interface InstalledApp {
  readonly connection: DrivenConnection;
  readonly callRoute: CallRoute;
  readonly kept: Kept;
  readonly session: SessionModel;
  readonly notifications: NotificationsModel;
  readonly tunemates: { readonly tunemates: Readable<Readonly<UserSnapshot['tunemates']> | null> };
  /** Null until the code of private chats is loaded. */
  readonly chats: Readable<{
    readonly list: {
      readonly unread: Readable<number>;
      readonly rows: Readable<readonly ConversationRow[] | null>;
      readonly isKept: () => boolean;
    };
  } | null>;
  readonly yourRooms: Readable<KeptHome['rooms']>;
  readonly hasNewer: Cell<boolean>;
  readonly installing: Cell<'steps' | (() => Promise<unknown>) | null>;
}

/** Once a page, after its first connection. */
export function keepInstalled(app: InstalledApp, snapshot: UserSnapshot, browser: Window & typeof globalThis): void {
  const parts = [
    () => keepStoring(app),
    () => keepHome(app, snapshot),
    () => keepBadge(app, browser.navigator),
    () => offerInstalling(app, browser),
    () => keepPush(app, browser),
    () => keepWorker(app, browser),
  ];
  // A browser that lacks or forbids what one of them needs has the others.
  for (const part of parts) void attempt(part);
}

async function attempt(part: () => unknown): Promise<void> {
  try {
    await part();
  } catch {
    // The others are of use without it.
  }
}

/** Also for a user who signs in again on this page after a session that ended: with that everything was deleted. */
function keepStoring({ kept, connection }: InstalledApp): void {
  kept.start();
  connection.onUserSnapshot(() => {
    // What this device stored is no news, and a page of another user is about to be loaded anew.
    if (connection.status.get().status === 'live') kept.start();
  });
}

type Source = Pick<Readable<unknown>, 'subscribe'>;

function anyOf(...sources: Source[]): Source {
  return {
    subscribe(onChange) {
      const ends = sources.map((source) => source.subscribe(onChange));
      return () => ends.forEach((end) => end());
    },
  };
}

/** The list of chats, whose code may come later than this one. */
function listIn(chats: InstalledApp['chats']): Source {
  return {
    subscribe(onChange) {
      let end = chats.subscribe(look);
      function look(): void {
        const list = chats.get()?.list;
        if (list === undefined) return;
        end();
        end = anyOf(list.rows, list.unread).subscribe(onChange);
        onChange();
      }
      look();
      return () => end();
    },
  };
}

/** Stores the snapshot with what has changed since, and the user's rooms as home showed them last. */
function keepHome(app: InstalledApp, first: UserSnapshot): void {
  const { kept, connection, session, tunemates, notifications, yourRooms, chats } = app;
  let latest = first;
  // This page may never show home.
  let rooms = yourRooms.get() ?? keptRooms(kept, first.user.uid);
  connection.onUserSnapshot((snapshot) => {
    latest = snapshot;
  });
  const sources = anyOf(session.session, tunemates.tunemates, notifications.notifications, yourRooms, listIn(chats));
  kept.followHome(sources, (): KeptHome | undefined => {
    rooms = yourRooms.get() ?? rooms;
    const now = session.session.get();
    if (now.status !== 'signed-in' || now.user.uid !== latest.user.uid) return undefined;
    const waiting = chats.get()?.list.rows.get()?.filter(isWaiting).length;
    const snapshot = {
      ...latest,
      ...(waiting !== undefined && { chatsWaiting: waiting }),
      user: now.user,
      tunemates: [...(tunemates.tunemates.get() ?? latest.tunemates)],
      notifications: [...(notifications.notifications.get() ?? latest.notifications)],
    };
    return { snapshot, rooms };
  });
}

function keptRooms(kept: Kept, uid: Uid): KeptHome['rooms'] {
  const found = kept.readHome() as KeptHome | undefined;
  return found?.snapshot.user.uid === uid ? found.rooms : null;
}

const hintPauseMs = 30 * 24 * 60 * 60 * 1000;

/** Chromium's event; no other browser has it. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** From the second visit on, and 30 days after the user put it off. */
function offerInstalling({ installing }: InstalledApp, browser: Window & typeof globalThis): void {
  const isSecond = deviceStorage.getItem('tunemate/visited') !== null;
  deviceStorage.setItem('tunemate/visited', '1');
  const leftMs = Number(deviceStorage.getItem('tunemate/install-hint-left') ?? '0');
  if (!isSecond || isInstalled() || Date.now() - leftMs < hintPauseMs) return;
  browser.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installing.set(() => (event as InstallPrompt).prompt());
  });
  // Every browser of an iPhone is Safari's engine; an iPad gives itself out as a Mac with a touch screen.
  const { userAgent, maxTouchPoints } = browser.navigator;
  if (/iPhone|iPad/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)) installing.set('steps');
}

/** The number of unread things on the app's picture, and no notification of what is read. Neither ends anything else. */
function keepBadge({ notifications, chats, session }: InstalledApp, navigator: Navigator): void {
  const show = (): void => {
    const notices = notifications.notifications.get();
    const list = chats.get()?.list;
    // What came while no page was open is not in those that this device stored.
    const rows = list === undefined || list.isKept() ? null : list.rows.get();
    const writers = rows && new Set(rows.filter(({ unread }) => unread > 0).map(({ other }) => other.uid));
    void closeSeen(navigator.serviceWorker, { writers, notices }, Date.now());
    if (!('setAppBadge' in navigator)) return;
    const unread = unreadCount(notices ?? []) + (list?.unread.get() ?? 0);
    const isSignedIn = session.session.get().status === 'signed-in';
    try {
      void navigator.setAppBadge(isSignedIn ? unread : 0).catch(() => undefined);
    } catch {
      // Forbidden by the page around this one.
    }
  };
  anyOf(notifications.notifications, session.session, listIn(chats)).subscribe(show);
  show();
}

/**
 * A device that shows push messages is registered for the user who is signed in, each time the app opens: the server may
 * have let it go, or have another key, while its switch says that it is on.
 */
function keepPush({ callRoute, session }: InstalledApp, browser: Window & typeof globalThis): void {
  const renew = (): void => void createPush(callRoute, browser).renew();
  session.onSignedIn(renew);
  renew();
}

/** Looks for a newer version when the page opens and at each new connection: the server may have been replaced. */
async function keepWorker({ connection, hasNewer }: InstalledApp, browser: Window & typeof globalThis): Promise<void> {
  const { serviceWorker } = browser.navigator;
  if (!browser.isSecureContext || serviceWorker === undefined || import.meta.env.DEV) return;
  serviceWorker.addEventListener('controllerchange', () => void look());
  const renew = async (): Promise<unknown> => (await serviceWorker.getRegistration('/'))?.update();
  connection.onUserSnapshot(() => void renew().catch(() => undefined));
  try {
    await serviceWorker.register(workerPath, { scope: '/' });
  } catch {
    // Without it the page needs a network, as before.
  }

  /** The newest store has the files of its own version alone; the one before may not be deleted yet. */
  async function look(): Promise<void> {
    const entry = browser.document.querySelector<HTMLScriptElement>('script[type=module][src]');
    const newest = (await browser.caches.keys()).findLast((name) => name.startsWith('tunemate-shell-'));
    if (!entry || newest === undefined) return;
    const shell = await browser.caches.open(newest);
    if (!(await shell.match(entry.src, { ignoreVary: true }))) hasNewer.set(true);
  }
}

/** The number of unread things on the picture of an installed app. */
import { expect, test } from 'vitest';
import { aSnapshot, mara } from '../../testing/connection-fixtures.ts';
import type { ChatsModel } from '../chats/chats-model.ts';
import { cell } from '../store/cell.ts';
import { type InstalledApp, keepInstalled } from './installed.ts';

/** `areLoaded`: the code of private chats came before that of the installed app. */
function installed(areLoaded: boolean) {
  const unread = cell(2);
  const loaded = { list: { unread } } as unknown as ChatsModel;
  const chats = cell<ChatsModel | null>(areLoaded ? loaded : null);
  const shown: (number | undefined)[] = [];
  const app = {
    kept: { start: () => undefined, readHome: () => undefined, followHome: () => () => undefined },
    connection: { onUserSnapshot: () => () => undefined },
    session: { session: cell({ status: 'signed-in', user: mara }) },
    ...{ tunemates: { tunemates: cell([]) }, notifications: { notifications: cell([]) }, yourRooms: cell(null), chats },
  } as unknown as InstalledApp;
  const setAppBadge = (count?: number) => {
    shown.push(count);
    return Promise.resolve();
  };
  const browser = { navigator: { setAppBadge, userAgent: '' }, addEventListener: () => undefined };
  keepInstalled(app, aSnapshot(), browser as unknown as Window & typeof globalThis);
  return { unread, shown, load: () => chats.set(loaded) };
}

test.each([true, false])(
  'a message that arrives later is counted, private chats being loaded before: %s',
  (areLoaded) => {
    const { unread, shown, load } = installed(areLoaded);
    load();
    unread.set(3);
    unread.set(4);
    expect(shown.at(-1)).toBe(4);
  },
);

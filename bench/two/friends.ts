/** How long a change of track takes to the pages of fifty friends of a person in the room, and which statements it adds. */
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';

const watchers = 50;
const changes = 20;

export interface Friends {
  readonly tookMs: number[];
  readonly statements: { readonly shownToNone: number; readonly shown: number };
}

export async function measureFriends(databaseUrl: string): Promise<Friends> {
  const log: string[] = [];
  const w = await openSocketWorld({ databaseUrl, isStill: false, onStatement: (text) => log.push(text) });
  try {
    const [ada, jonas] = [await w.arrive('Ada'), await w.arrive('Jonas')];
    const { room } = await w.roomWith(ada, 'audio', jonas);
    valueOf(await ada.ask('playback/takeControl', { ...room, tabId: ada.tabId }));
    const friends = await Promise.all(Array.from({ length: watchers }, (_, n) => w.arrive(`Friend ${String(n)}`)));
    const tie = (uid: string, mate: string, position: number) => ({ uid, mate, added_at_ms: 1, position });
    const ties = friends.flatMap(({ uid }, n) => [tie(jonas.uid, uid, n), tie(uid, jonas.uid, 1)]);
    await w.db.insertInto('tunemates').values(ties).execute();
    const choose = async (n: number) => {
      const intent = { type: 'choose', track: trackOf(n) } as const;
      valueOf(await ada.ask('playback/write', { ...room, tabId: ada.tabId, clientId: newClientId(), intent }));
    };
    /** The least of several: the background asks for something meanwhile. */
    const least = async (from: number): Promise<number> => {
      const costs: number[] = [];
      for (let n = from; n < from + 5; n += 1) {
        await isQuiet(log);
        log.length = 0;
        await choose(n);
        await isQuiet(log);
        costs.push(log.filter((text) => !/^(?:begin|commit|rollback|savepoint|release)/.test(text)).length);
      }
      return Math.min(...costs);
    };
    // The first track of a room replaces none.
    await choose(0);
    const shownToNone = await least(1);
    await showTo(w, jonas);
    const shown = await least(10);
    const tookMs: number[] = [];
    for (let n = 20; n < 20 + changes; n += 1) {
      await isQuiet(log);
      const before = friends.map(newsOf);
      const startMs = performance.now();
      await choose(n);
      const waiting = new Set(friends.keys());
      while (waiting.size > 0) {
        for (const at of waiting) {
          const friend = friends[at];
          if (!friend || newsOf(friend) === before[at]) continue;
          waiting.delete(at);
          tookMs.push(performance.now() - startMs);
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    return { tookMs, statements: { shownToNone, shown } };
  } finally {
    await w.close();
  }
}

const newsOf = ({ ephemeral }: Tab): number => ephemeral.filter(({ type }) => type === 'presence/hears').length;

async function showTo(w: SocketWorld, tab: Tab): Promise<void> {
  const browser = w.app.visitor();
  browser.setCookie(tab.cookie);
  valueOf((await browser.call('PATCH /api/accounts/me', { hearingShownTo: 'tunemates' })).result);
}

async function isQuiet(log: readonly string[]): Promise<void> {
  for (let before = -1; before !== log.length; await new Promise((resolve) => setTimeout(resolve, 20)))
    before = log.length;
}

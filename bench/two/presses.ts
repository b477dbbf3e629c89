/**
 * Two to five people press at one moment in random schedules: the host lends the remote and takes it back meanwhile,
 * lines are cut with presses on them, and servers are killed, after which the pages ask whether their presses counted.
 * Counts what must never be.
 */
import type {
  Payload,
  PayloadInput,
  RequestName,
  Result,
  RoomChange,
  StreamId,
  TabId,
  Value,
} from '@tunemate/protocol';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { roomWith, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import type { Db } from '../../server/src/storage/schema.ts';

/** A room and its people serve for so many schedules. */
const perRoom = 100;
/** Where servers can be killed, one is in one of so many schedules. */
const killedIn = 10;
const people = 5;
/** A change of the room by itself may come between what two pages are answered; they ask again so often. */
const readings = 20;

export interface Presses {
  schedules: number;
  presses: number;
  accepted: number;
  overtaken: number;
  withoutRight: number;
  cutLines: number;
  kills: number;
  /** Pages that ended in another state than the host's. */
  apart: number;
  /** Accepted, and in no change of the room. */
  lost: number;
  twice: number;
  /** Of those whose answer was lost, the presses whose page was told that they never count. */
  givenUp: number;
  /** Refused, and in a change of the room all the same. */
  undoneOrUnsaid: number;
  /** Applied of a person who did not hold the remote then. */
  afterTheRight: number;
}

/** Where they press. */
export interface Place {
  /** People whom the place does not know yet, each on one page. */
  arrive(names: readonly string[]): Promise<Tab[]>;
  /** Another line of this page, as soon as a server answers. */
  connect(person: Person, tabId: TabId): Promise<Tab>;
  /** Before each schedule, where time does not pass by itself. */
  pass?(): void;
  /** Kills a server, and resolves when it is back. */
  kill?(): Promise<void>;
  /** Lets `read` see what the servers stored. */
  stored<T>(read: (db: Db) => Promise<T>): Promise<T>;
}

export async function measurePresses(place: Place, schedules: number, seed: number): Promise<Presses> {
  const found: Presses = {
    ...{ schedules: 0, presses: 0, accepted: 0, overtaken: 0, withoutRight: 0, cutLines: 0, kills: 0 },
    ...{ apart: 0, lost: 0, twice: 0, undoneOrUnsaid: 0, afterTheRight: 0, givenUp: 0 },
  };
  const random = seededRandom(seed);
  while (found.schedules < schedules)
    await pressInOneRoom(place, found, random, Math.min(schedules, found.schedules + perRoom));
  return found;
}

/** The pages of people in one room; the first is the host's, who has the controls. */
async function openPages(place: Place) {
  const tabs = await place.arrive(Array.from({ length: people }, (_, n) => `Person ${String(n)}`));
  const [host, ...guests] = tabs as [Tab, ...Tab[]];
  const { room, stream } = await roomWith(host, 'audio', ...guests);
  valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  const returns = new Map<number, Promise<Tab>>();

  async function returned(at: number): Promise<Tab> {
    const gone = tabs[at] ?? host;
    const tab = await place.connect(gone, gone.tabId);
    tabs[at] = tab;
    returns.delete(at);
    await tab.ask('rooms/enter', room).catch(() => null);
    return tab;
  }

  /** On another line once its own is lost. */
  async function page(at: number): Promise<Tab> {
    const tab = tabs[at] ?? host;
    if (tab.socket.connected) return tab;
    const returning = returns.get(at) ?? returned(at);
    returns.set(at, returning);
    return await returning;
  }

  return {
    ...{ room, stream, page, uids: tabs.map(({ uid }) => uid) },
    /** Asks until there is an answer. */
    async ask<Name extends RequestName>(
      at: number,
      name: Name,
      payload: PayloadInput<Name>,
    ): Promise<Result<Value<Name>>> {
      for (;;) {
        const answer = await (await page(at)).ask(name, payload).catch(() => null);
        if (answer !== null) return answer;
      }
    },
    close: () => tabs.forEach((tab) => tab.leave()),
  };
}
type Pages = Awaited<ReturnType<typeof openPages>>;

async function pressInOneRoom(place: Place, found: Presses, random: () => number, until: number): Promise<void> {
  const below = (count: number): number => Math.floor(random() * count);
  const pages = await openPages(place);
  const { room, uids } = pages;
  const answers = new Map<string, string>();
  let next = 0;
  const enter = async (at: number) => valueOf(await pages.ask(at, 'rooms/enter', room)).playback;
  const lend = (at: number, isLent: boolean) =>
    pages.ask(0, 'rooms/lendRemote', { ...room, uid: uids[at] ?? '', isLent });

  /** A press that always changes something. With `cuts` its line breaks at once. A page without an answer asks for it. */
  async function press(at: number, seen: number, cuts: boolean): Promise<void> {
    const tab = await pages.page(at);
    const track = trackOf((next += 1));
    const payload: Payload<'playback/write'> = {
      ...{ ...room, tabId: tab.tabId, clientId: newClientId(), seen, intent: { type: 'choose', track } },
    };
    found.presses += 1;
    const first = tab.ask('playback/write', payload).catch(() => null);
    if (cuts) {
      tab.cut();
      found.cutLines += 1;
    }
    const answer = (await first) ?? (await pages.ask(at, 'playback/write', { ...payload, givesUp: true }));
    answers.set(track.videoId, codeOf(answer));
  }

  while (found.schedules < until) {
    found.schedules += 1;
    place.pass?.();
    const holders = 2 + below(people - 1);
    for (let at = 1; at < people; at += 1) await lend(at, at < holders);
    const { revision } = await enter(0);
    const isCut = new Set<number>();
    const hasPressed = new Set<number>();
    const steps = Array.from({ length: 3 + below(6) }, async () => {
      const [what, at] = [below(10), below(holders)];
      if (what < 2 && at > 0) return void (await lend(at, what === 0));
      const cuts = what === 2 && at > 0 && !hasPressed.has(at);
      if (isCut.has(at)) return;
      if (cuts) isCut.add(at);
      hasPressed.add(at);
      await press(at, revision, cuts);
    });
    if (place.kill && below(killedIn) === 0) {
      found.kills += 1;
      // At once, or when one of them is done.
      await steps[below(steps.length + 1)];
      await place.kill();
    }
    await Promise.all(steps);
    found.apart += await pagesApart(enter);
  }
  judge(found, pages, await place.stored((db) => changesOf(db, pages.stream)), answers);
  pages.close();
}

/** How many pages see another state than the host's. */
async function pagesApart(enter: (at: number) => Promise<{ revision: number }>): Promise<number> {
  for (let reading = 1; ; reading += 1) {
    const states = await Promise.all(Array.from({ length: people }, (_, at) => enter(at)));
    const isOneRevision = new Set(states.map(({ revision }) => revision)).size === 1;
    const [first, ...others] = states.map((state) => JSON.stringify(state));
    if (isOneRevision || reading === readings) return others.filter((state) => state !== first).length;
  }
}

/** What the servers did in the room, in their order. */
async function changesOf(db: Db, stream: StreamId): Promise<RoomChange[]> {
  const entries = db.selectFrom('stream_entries').select('change').where('stream', '=', stream).orderBy('seq');
  return (await entries.execute()).map(({ change }) => JSON.parse(change) as RoomChange);
}

function judge(
  found: Presses,
  { uids: [host] }: Pages,
  changes: readonly RoomChange[],
  answers: Map<string, string>,
): void {
  const times = new Map<string, number>();
  let holders: readonly string[] = [];
  for (const change of changes) {
    if (change.type === 'rooms/set' && 'remoteHolders' in change.settings) {
      holders = change.settings.remoteHolders ?? holders;
    }
    if (change.type !== 'playback/queueChanged' || !('track' in change.edit)) continue;
    const { videoId } = change.edit.track;
    times.set(videoId, (times.get(videoId) ?? 0) + 1);
    if (change.by !== undefined && change.by !== host && !holders.includes(change.by)) found.afterTheRight += 1;
  }
  for (const [videoId, code] of answers) {
    const applied = times.get(videoId) ?? 0;
    if (code === 'ok') found.accepted += 1;
    if (code === 'playback/overtaken') found.overtaken += 1;
    if (code === 'room/host-only') found.withoutRight += 1;
    if (code === 'playback/given-up') found.givenUp += 1;
    if (code === 'ok' && applied === 0) found.lost += 1;
    if (applied > 1) found.twice += 1;
    if (code !== 'ok' && applied > 0) found.undoneOrUnsaid += 1;
  }
}

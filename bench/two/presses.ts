/**
 * Two to five people press at one moment in random schedules: the host lends the remote and takes it back meanwhile, and
 * lines are cut with presses on them, after which their pages ask whether they counted. Counts what must never be.
 */
import type { Payload } from '@tunemate/protocol';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';

/** A room and its people serve for so many schedules. */
const perRoom = 100;
const people = 5;

export interface Presses {
  schedules: number;
  presses: number;
  accepted: number;
  overtaken: number;
  withoutRight: number;
  cutLines: number;
  /** Pages that ended in another state than the host's. */
  apart: number;
  /** Accepted, and in no change of the room. */
  lost: number;
  twice: number;
  /** Of those on cut lines, the presses whose page was told that they never count. */
  givenUp: number;
  /** Refused, and in a change of the room all the same. */
  undoneOrUnsaid: number;
  /** Applied of a person who did not hold the remote then. */
  afterTheRight: number;
}

export async function measurePresses(databaseUrl: string, schedules: number, seed: number): Promise<Presses> {
  const w = await openSocketWorld({ databaseUrl });
  const found: Presses = {
    ...{ schedules: 0, presses: 0, accepted: 0, overtaken: 0, withoutRight: 0, cutLines: 0 },
    ...{ apart: 0, lost: 0, twice: 0, undoneOrUnsaid: 0, afterTheRight: 0, givenUp: 0 },
  };
  const random = seededRandom(seed);
  try {
    while (found.schedules < schedules)
      await pressInOneRoom(w, found, random, Math.min(schedules, found.schedules + perRoom));
  } finally {
    await w.close();
  }
  return found;
}

async function pressInOneRoom(w: SocketWorld, found: Presses, random: () => number, until: number): Promise<void> {
  const below = (count: number): number => Math.floor(random() * count);
  const tabs = await Promise.all(Array.from({ length: people }, (_, n) => w.arrive(`Person ${String(n)}`)));
  const [host, ...guests] = tabs as [Tab, ...Tab[]];
  const { room, stream } = await w.roomWith(host, 'audio', ...guests);
  valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  const answers = new Map<string, string>();
  let next = 0;
  const enter = async (tab: Tab) => valueOf(await tab.ask('rooms/enter', room)).playback;
  const lend = ({ uid }: Tab, isLent: boolean) => host.ask('rooms/lendRemote', { ...room, uid, isLent });

  /** A press that always changes something. With `cuts` its line breaks at once, and the page asks for its answer. */
  async function press(at: number, seen: number, cuts: boolean): Promise<void> {
    const tab = tabs[at] ?? host;
    const track = trackOf((next += 1));
    const payload: Payload<'playback/write'> = {
      ...{ ...room, tabId: tab.tabId, clientId: newClientId(), seen, intent: { type: 'choose', track } },
    };
    found.presses += 1;
    if (!cuts) return void answers.set(track.videoId, codeOf(await tab.ask('playback/write', payload)));
    void tab.ask('playback/write', payload).catch(() => undefined);
    tab.cut();
    found.cutLines += 1;
    const again = await w.connect(tab, tab.tabId);
    tabs[at] = again;
    answers.set(track.videoId, codeOf(await again.ask('playback/write', { ...payload, givesUp: true })));
    await enter(again);
  }

  while (found.schedules < until) {
    found.schedules += 1;
    w.clock.advance(1000);
    const holders = 2 + below(people - 1);
    for (const [at, tab] of guests.entries()) await lend(tab, at + 1 < holders);
    const { revision } = await enter(host);
    const isCut = new Set<number>();
    const hasPressed = new Set<number>();
    const steps = Array.from({ length: 3 + below(6) }, async () => {
      const [what, at] = [below(10), below(holders)];
      if (what < 2 && at > 0) return void (await lend(tabs[at] ?? host, what === 0));
      const cuts = what === 2 && at > 0 && !hasPressed.has(at);
      if (isCut.has(at)) return;
      if (cuts) isCut.add(at);
      hasPressed.add(at);
      await press(at, revision, cuts);
    });
    await Promise.all(steps);
    const states = await Promise.all(tabs.map(async (tab) => JSON.stringify(await enter(tab))));
    found.apart += states.filter((state) => state !== states[0]).length;
  }
  judge(found, host, host.changes(stream), answers);
  for (const tab of tabs) tab.leave();
}

/** What the host's page received is the order in which the server did it all. */
function judge(found: Presses, host: Tab, changes: ReturnType<Tab['changes']>, answers: Map<string, string>): void {
  const times = new Map<string, number>();
  let holders: readonly string[] = [];
  for (const change of changes) {
    if (change.type === 'rooms/set' && 'remoteHolders' in change.settings) {
      holders = change.settings.remoteHolders ?? holders;
    }
    if (change.type !== 'playback/queueChanged' || !('track' in change.edit)) continue;
    const { videoId } = change.edit.track;
    times.set(videoId, (times.get(videoId) ?? 0) + 1);
    if (change.by !== undefined && change.by !== host.uid && !holders.includes(change.by)) found.afterTheRight += 1;
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

/** What the host allows all: adding to the queue, and skipping at a majority. */
import { playbackOfDocument } from '@tunemate/domain';
import { limits, type NamedTrack, type VideoId } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const propose = (guest: Tab, room: Room, n: number) =>
  guest.ask('rooms/propose', { ...room, clientId: newClientId(), track: trackOf(n) });
const allow = (host: Tab, room: Room, name: 'everyoneAdds' | 'majoritySkips', isOn = true) =>
  host.ask('rooms/set', { ...room, settings: { [name]: isOn } });
const skip = (guest: Tab, room: Room, n: number, isOn = true) =>
  guest.ask('playback/voteToSkip', { ...room, videoId: trackOf(n).videoId, isOn });

describeEachDialect('all people in a room', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    /** Mara hosts and controls, the others are inside. */
    async function roomOfFour() {
      w.clock.advance(60_000);
      const [mara, ada, ivo] = [await w.arrive('Mara'), await w.arrive('Ada'), await w.arrive('Ivo')];
      const noor = await w.arrive('Noor');
      const { room, stream } = await w.roomWith(mara, kind, ada, ivo, noor);
      const { tabId } = mara;
      valueOf(await mara.ask('playback/takeControl', { ...room, tabId }));
      const write = (
        intent:
          | { type: 'next' }
          | { type: 'choose' | 'enqueue'; track: NamedTrack }
          | { type: 'remove'; index: number; videoId: VideoId },
      ) => mara.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent });
      const look = async () => {
        const snapshot = valueOf(await mara.ask('rooms/enter', room));
        const { queue, timeline } = playbackOfDocument(snapshot.playback);
        const titles = queue.videoQueue.map(({ title }) => title);
        const owners = queue.videoQueue.map(({ proposedBy }) => proposedBy);
        return { room: snapshot.room, titles, owners, currentIndex: queue.currentIndex, timeline };
      };
      return { mara, ada, ivo, noor, room, stream, write, look };
    }

    test('where everyone can add, a proposal goes to the end of the queue, five waiting each', async () => {
      const { mara, ada, ivo, room, stream, write, look } = await roomOfFour();
      valueOf(await write({ type: 'choose', track: trackOf(0) }));
      valueOf(await propose(ada, room, 9));
      valueOf(await allow(mara, room, 'everyoneAdds'));
      await expect
        .poll(() => ada.changes(stream).at(-1))
        .toMatchObject({ type: 'rooms/set', settings: { everyoneAdds: true } });
      for (let n = 1; n < limits.waitingPerPerson; n += 1) {
        expect(valueOf(await propose(ada, room, n)).outcome).toBe('queued');
      }
      // The proposal from before waits too.
      expect(codeOf(await propose(ada, room, 5))).toBe('proposals/too-many');
      expect(valueOf(await propose(ivo, room, 1)).outcome).toBe('queued');
      expect((await look()).titles).toEqual([0, 1, 2, 3, 4].map((n) => trackOf(n).title));
      valueOf(await write({ type: 'next' }));
      expect(valueOf(await propose(ada, room, 5)).outcome).toBe('queued');
      valueOf(await allow(mara, room, 'everyoneAdds', false));
      expect(valueOf(await propose(ivo, room, 6)).outcome).toBe('proposed');
    });

    test('a guest takes back a track of their own that waits, and no other; what plays stays (PROP-13)', async () => {
      const { mara, ada, ivo, room, write, look } = await roomOfFour();
      const takeBack = (guest: Tab, n: number) =>
        guest.ask('playback/takeBack', { ...room, videoId: trackOf(n).videoId });
      valueOf(await write({ type: 'choose', track: trackOf(0) }));
      valueOf(await write({ type: 'enqueue', track: trackOf(5) }));
      valueOf(await allow(mara, room, 'everyoneAdds'));
      valueOf(await propose(ada, room, 1));
      valueOf(await propose(ivo, room, 2));
      const before = await look();
      for (const n of [0, 1, 5]) valueOf(await takeBack(ivo, n));
      expect(await look()).toMatchObject({ titles: before.titles, timeline: before.timeline });
      for (const _time of [1, 2]) valueOf(await takeBack(ivo, 2));
      expect((await look()).titles).toEqual([0, 5, 1].map((n) => trackOf(n).title));
      valueOf(await write({ type: 'next' }));
      valueOf(await write({ type: 'next' }));
      valueOf(await takeBack(ada, 1));
      expect((await look()).timeline.trackKey).toBe(trackOf(1).videoId);
    });

    test('a track that the host removes and puts back is still whose it was; one that its guest took back is not (PROP-13)', async () => {
      const { mara, ada, room, write, look } = await roomOfFour();
      const owners = async () => (await look()).owners;
      valueOf(await write({ type: 'choose', track: trackOf(0) }));
      valueOf(await allow(mara, room, 'everyoneAdds'));
      valueOf(await propose(ada, room, 1));
      valueOf(await write({ type: 'remove', index: 1, videoId: trackOf(1).videoId }));
      valueOf(await write({ type: 'enqueue', track: trackOf(5) }));
      valueOf(await write({ type: 'enqueue', track: trackOf(1) }));
      expect(await owners()).toEqual([undefined, undefined, ada.uid]);
      valueOf(await ada.ask('playback/takeBack', { ...room, videoId: trackOf(1).videoId }));
      valueOf(await write({ type: 'enqueue', track: trackOf(1) }));
      expect(await owners()).toEqual([undefined, undefined, undefined]);
    });

    test('a full queue refuses what everyone could add, and of two at its last place one (PROP-12)', async () => {
      const { mara, ada, ivo, room, write, look } = await roomOfFour();
      valueOf(await allow(mara, room, 'everyoneAdds'));
      for (let n = 0; n < limits.queueItems - 1; n += 1) {
        w.clock.advance(1000);
        valueOf(await write({ type: 'enqueue', track: trackOf(n) }));
      }
      const both = await Promise.all([propose(ada, room, 900), propose(ivo, room, 901)]);
      expect(both.map(codeOf).toSorted()).toEqual(['ok', 'playback/queue-full']);
      expect((await look()).titles).toHaveLength(limits.queueItems);
      valueOf(await allow(mara, room, 'everyoneAdds', false));
      valueOf(await propose(ada, room, 902));
      const [waiting] = (await look()).room.proposals;
      const add = { ...room, clientId: newClientId(), proposalId: waiting?.id ?? '' };
      expect(codeOf(await mara.ask('rooms/addProposal', add))).toBe('playback/queue-full');
      expect((await look()).room.proposals).toEqual([waiting]);
    });

    test('guests vote to skip, once each; another track clears the votes (VOTE-3)', async () => {
      const { ada, ivo, room, stream, write, look } = await roomOfFour();
      valueOf(await write({ type: 'choose', track: trackOf(1) }));
      valueOf(await write({ type: 'enqueue', track: trackOf(2) }));
      for (const _time of [1, 2]) valueOf(await skip(ada, room, 1));
      valueOf(await skip(ivo, room, 2));
      expect((await look()).room.skipVotes).toEqual([ada.uid]);
      const votes = () => ivo.changes(stream).filter(({ type }) => type.startsWith('rooms/skip'));
      await expect.poll(votes).toEqual([{ type: 'rooms/skipVoted', uid: ada.uid, isOn: true }]);
      valueOf(await write({ type: 'next' }));
      await expect.poll(() => votes().at(-1)).toEqual({ type: 'rooms/skipVotesCleared' });
      expect((await look()).room.skipVotes).toEqual([]);
      valueOf(await skip(ada, room, 2));
      valueOf(await skip(ada, room, 2, false));
      expect((await look()).room.skipVotes).toEqual([]);
    });

    test('more than half of the guests who are present skip a track where the host said so, once (VOTE-4)', async () => {
      const { mara, ada, ivo, noor, room, write, look } = await roomOfFour();
      for (const n of [1, 2, 3])
        valueOf(await write(n === 1 ? { type: 'choose', track: trackOf(n) } : { type: 'enqueue', track: trackOf(n) }));
      for (const guest of [ada, ivo]) valueOf(await skip(guest, room, 1));
      expect((await look()).timeline.trackKey).toBe(trackOf(1).videoId);
      valueOf(await allow(mara, room, 'majoritySkips'));
      valueOf(await skip(ada, room, 1, false));
      await Promise.all([skip(ada, room, 1), skip(noor, room, 1)].map(async (answer) => valueOf(await answer)));
      expect((await look()).timeline).toMatchObject({ trackKey: trackOf(2).videoId, isPlaying: true });
      expect((await look()).room.skipVotes).toEqual([]);
      valueOf(await skip(ada, room, 2));
      expect((await look()).timeline.trackKey).toBe(trackOf(2).videoId);
    });

    test('a majority that skips the last track leads to what comes after it: the first one, or silence (VOTE-4)', async () => {
      const { mara, ada, ivo, room, write, look } = await roomOfFour();
      valueOf(await write({ type: 'choose', track: trackOf(1) }));
      valueOf(await allow(mara, room, 'majoritySkips'));
      const { revision } = (await look()).timeline;
      for (const guest of [ada, ivo]) valueOf(await skip(guest, room, 1));
      await expect.poll(async () => (await look()).timeline.revision).toBe(revision + 1);
      expect((await look()).timeline).toMatchObject({ trackKey: trackOf(1).videoId, isPlaying: kind === 'video' });
    });

    type RoomOfFour = Awaited<ReturnType<typeof roomOfFour>>;
    /** Two tracks wait, and one of three guests wants to skip the first. */
    async function oneWants({ mara, ada, room, write }: RoomOfFour): Promise<void> {
      for (const n of [1, 2, 3])
        valueOf(await write(n === 1 ? { type: 'choose', track: trackOf(n) } : { type: 'enqueue', track: trackOf(n) }));
      valueOf(await allow(mara, room, 'majoritySkips'));
      valueOf(await skip(ada, room, 1));
    }
    const plays =
      ({ look }: RoomOfFour) =>
      async () =>
        (await look()).timeline.trackKey;
    /** The same, as a guest sees it: the host has left, or is away. */
    const playsFor = (guest: Tab, room: Room) => async () =>
      playbackOfDocument(valueOf(await guest.ask('rooms/enter', room)).playback).timeline.trackKey;

    test.each<[string, (guest: Tab, evening: RoomOfFour) => Promise<void>]>([
      ['leaves', async (guest, { room }) => void valueOf(await guest.ask('rooms/leave', room))],
      [
        'is removed',
        async ({ uid }, { mara, room }) =>
          void valueOf(await mara.ask('rooms/removeParticipant', { ...room, uid, forGood: false })),
      ],
      [
        'is blocked',
        async ({ uid }, { mara }) => void valueOf(await mara.ask('chats/block', { uid, isBlocked: true })),
      ],
      ['goes offline', (guest) => w.leave(guest)],
    ])('the votes are counted anew when a guest %s (VOTE-5)', async (_what, go) => {
      const here = await roomOfFour();
      await oneWants(here);
      await go(here.ivo, here);
      expect(await plays(here)()).toBe(trackOf(1).videoId);
      await go(here.noor, here);
      await expect.poll(plays(here)).toBe(trackOf(2).videoId);
      expect((await here.look()).room.skipVotes).toEqual([]);
    });

    test('the votes are counted anew when a guest who did not vote takes over and the host leaves (VOTE-5)', async () => {
      const here = await roomOfFour();
      const { mara, ivo, noor, room } = here;
      await oneWants(here);
      valueOf(await ivo.ask('rooms/leave', room));
      valueOf(await mara.ask('rooms/offerHosting', { ...room, uid: noor.uid, leaves: true }));
      valueOf(await noor.ask('rooms/answerHosting', { ...room, takes: true, tabId: noor.tabId }));
      await expect.poll(playsFor(noor, room)).toBe(trackOf(2).videoId);
    });

    test('the votes are counted anew when a host who is away has handed over and stays a member (VOTE-5)', async () => {
      const here = await roomOfFour();
      const { mara, ada, ivo, noor, room } = here;
      await oneWants(here);
      valueOf(await ivo.ask('rooms/leave', room));
      valueOf(await mara.ask('rooms/offerHosting', { ...room, uid: noor.uid, leaves: false }));
      await w.leave(mara);
      expect(await playsFor(noor, room)()).toBe(trackOf(1).videoId);
      // Ada is the only guest who is present now.
      valueOf(await noor.ask('rooms/answerHosting', { ...room, takes: true, tabId: noor.tabId }));
      await expect.poll(playsFor(noor, room)).toBe(trackOf(2).videoId);
      expect(valueOf(await ada.ask('rooms/enter', room)).room.skipVotes).toEqual([]);
    });

    test('the votes are counted when the host lets a majority skip (VOTE-5)', async () => {
      const here = await roomOfFour();
      const { mara, ada, ivo, room, write } = here;
      for (const n of [1, 2])
        valueOf(await write(n === 1 ? { type: 'choose', track: trackOf(n) } : { type: 'enqueue', track: trackOf(n) }));
      for (const guest of [ada, ivo]) valueOf(await skip(guest, room, 1));
      valueOf(await allow(mara, room, 'majoritySkips'));
      await expect.poll(plays(here)).toBe(trackOf(2).videoId);
    });

    test('votes that come at once skip once, also where the same track comes next (VOTE-4)', async () => {
      const { mara, ada, ivo, noor, room, write, look } = await roomOfFour();
      for (const type of ['choose', 'enqueue', 'enqueue'] as const) {
        w.clock.advance(1000);
        valueOf(await write({ type, track: trackOf(1) }));
      }
      valueOf(await allow(mara, room, 'majoritySkips'));
      const { currentIndex } = await look();
      const all = [ada, ivo, noor].map(async (guest) => valueOf(await skip(guest, room, 1)));
      await Promise.all(all);
      expect((await look()).currentIndex).toBe(currentIndex + 1);
    });

    test('leaving removes the guest’s vote to skip', async () => {
      const here = await roomOfFour();
      const { mara, ada, ivo, room, stream, look } = here;
      await oneWants(here);
      valueOf(await ada.ask('rooms/leave', room));
      expect((await look()).room.skipVotes).toEqual([]);
      const votes = () => ivo.changes(stream).filter(({ type }) => type === 'rooms/skipVoted');
      await expect.poll(() => votes().at(-1)).toEqual({ type: 'rooms/skipVoted', uid: ada.uid, isOn: false });
      await w.letIn(mara, ada, room);
      expect((await look()).room.skipVotes).toEqual([]);
    });
  });
});

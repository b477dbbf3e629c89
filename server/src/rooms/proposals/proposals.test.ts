/** Proposals of a room and votes for them, and what races with each other there. */
import { playbackOfDocument } from '@tunemate/domain';
import { limits } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { sendJson, startFakeDataApi } from '@tunemate/testkit/fakes/fake-data-api';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const propose = (guest: Tab, room: Room, n: number) =>
  guest.ask('rooms/propose', { ...room, clientId: newClientId(), track: trackOf(n) });
const vote = (guest: Tab, room: Room, proposalId: string, isOn = true) =>
  guest.ask('rooms/voteForProposal', { ...room, proposalId, isOn });
const add = (host: Tab, room: Room, proposalId: string) =>
  host.ask('rooms/addProposal', { ...room, clientId: newClientId(), proposalId });
const leave = (guest: Tab, room: Room) => guest.ask('rooms/leave', { ...room, ends: false });

describeEachDialect('proposals', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  async function seen(tab: Tab, room: Room) {
    const snapshot = valueOf(await tab.ask('rooms/enter', room));
    const { queue } = playbackOfDocument(snapshot.playback);
    const proposals = snapshot.room.proposals.map(({ id, track: { title }, proposer, votes }) => ({
      id,
      title,
      proposer,
      votes,
    }));
    const queued = queue.videoQueue.map(({ title, proposedBy }) => [title, proposedBy]);
    return { proposals, queued, ownVotes: snapshot.ownVotes };
  }

  describe.each([kindOn(dialect)])('in rooms of kind %s', (kind) => {
    /** Mara hosts, Ada and Ivo are inside. */
    async function roomOfThree() {
      w.clock.advance(60_000);
      const [mara, ada, ivo] = [await w.arrive('Mara'), await w.arrive('Ada'), await w.arrive('Ivo')];
      const { room, stream } = await w.roomWith(mara, kind, ada, ivo);
      const idOf = async (n: number) => {
        const found = (await seen(mara, room)).proposals.find(({ title }) => title === trackOf(n).title);
        if (!found) throw new Error('not proposed');
        return found.id;
      };
      return { mara, ada, ivo, room, stream, idOf };
    }

    test('a guest proposes a track: all in the room receive it, and who enters later sees it', async () => {
      const { mara, ada, ivo, room, stream, idOf } = await roomOfThree();
      expect(valueOf(await propose(ada, room, 1))).toEqual({ outcome: 'proposed' });
      const id = await idOf(1);
      const sent = {
        id,
        proposer: ada.uid,
        votes: 1,
        track: { title: 'Track 1', thumbnail: `/media/${trackOf(1).videoId}/cover` },
      };
      for (const tab of [mara, ada, ivo]) {
        await expect.poll(() => tab.changes(stream).at(-1)).toMatchObject({ type: 'rooms/proposed', proposal: sent });
      }
      expect(await seen(ada, room)).toMatchObject({ proposals: [{ id, votes: 1 }], ownVotes: [id], queued: [] });
      expect(await seen(ivo, room)).toMatchObject({ proposals: [{ id, votes: 1 }], ownVotes: [] });
    });

    test('a repeated proposal is one; the same client id for another track is a conflict', async () => {
      const { ada, room, stream } = await roomOfThree();
      const asked = { ...room, clientId: newClientId(), track: trackOf(1) };
      for (const _time of [1, 2]) expect(valueOf(await ada.ask('rooms/propose', asked)).outcome).toBe('proposed');
      expect(codeOf(await ada.ask('rooms/propose', { ...asked, track: trackOf(2) }))).toBe('input/conflict');
      expect((await seen(ada, room)).proposals).toMatchObject([{ title: 'Track 1', votes: 1 }]);
      expect(ada.changes(stream).filter(({ type }) => type === 'rooms/proposed')).toHaveLength(1);
    });

    test('the same track proposed again is a vote for it; proposed twice by one person it is one vote', async () => {
      const { ada, ivo, room } = await roomOfThree();
      const both = await Promise.all([propose(ada, room, 1), propose(ivo, room, 1)]);
      expect(both.map((answer) => valueOf(answer).outcome).toSorted()).toEqual(['proposed', 'voted']);
      expect(valueOf(await propose(ivo, room, 1)).outcome).toBe('voted');
      expect((await seen(ivo, room)).proposals).toMatchObject([{ title: 'Track 1', votes: 2 }]);
      valueOf(await propose(ada, room, 2));
      expect(valueOf(await propose(ivo, room, 2)).outcome).toBe('voted');
      expect((await seen(ivo, room)).proposals).toMatchObject([
        { title: 'Track 1', votes: 2 },
        { title: 'Track 2', votes: 2 },
      ]);
    });

    test('no person has more than five waiting (PROP-3)', async () => {
      const { ada, ivo, room, idOf } = await roomOfThree();
      for (let n = 1; n <= limits.waitingPerPerson; n += 1) valueOf(await propose(ada, room, n));
      expect(codeOf(await propose(ada, room, 6))).toBe('proposals/too-many');
      expect(valueOf(await propose(ada, room, 5)).outcome).toBe('voted');
      valueOf(await propose(ivo, room, 6));
      valueOf(await vote(ada, room, await idOf(1), false));
      valueOf(await propose(ada, room, 7));
    });

    test('Add puts it at the end of the queue, with who proposed it; a second Add finds it gone', async () => {
      const { mara, ada, ivo, room, stream, idOf } = await roomOfThree();
      valueOf(await propose(ada, room, 1));
      valueOf(await propose(ivo, room, 2));
      const [first, second] = [await idOf(1), await idOf(2)];
      const asked = { ...room, clientId: newClientId(), proposalId: second };
      for (const _time of [1, 2]) valueOf(await mara.ask('rooms/addProposal', { ...asked }));
      expect(codeOf(await mara.ask('rooms/addProposal', { ...asked, proposalId: first }))).toBe('input/conflict');
      valueOf(await add(mara, room, first));
      expect(codeOf(await add(mara, room, first))).toBe('access/not-found');
      expect(await seen(ada, room)).toEqual({
        proposals: [],
        ownVotes: [],
        queued: [
          ['Track 2', ivo.uid],
          ['Track 1', ada.uid],
        ],
      });
      const types = () => ada.changes(stream).map(({ type }) => type);
      await expect.poll(() => types().slice(-2)).toEqual(['playback/queueChanged', 'rooms/proposalRemoved']);
    });

    test('a proposed link keeps where it begins, from the proposal into the stored queue', async () => {
      const { mara, ada, room, idOf } = await roomOfThree();
      const from = { ...trackOf(1), startSeconds: 42 };
      valueOf(await ada.ask('rooms/propose', { ...room, clientId: newClientId(), track: from }));
      valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
      valueOf(await add(mara, room, await idOf(1)));
      const { playback } = valueOf(await ada.ask('rooms/enter', room));
      expect(playbackOfDocument(playback).queue.videoQueue).toMatchObject([{ startSeconds: 42 }]);
      expect(playback.currentTime).toBe(42);
    });

    test('what waits in the queue already is not proposed again', async () => {
      const { mara, ada, room, idOf } = await roomOfThree();
      for (const n of [1, 2]) valueOf(await propose(ada, room, n));
      for (const n of [1, 2]) valueOf(await add(mara, room, await idOf(n)));
      expect(valueOf(await propose(ada, room, 2)).outcome).toBe('queued');
      // The first of the queue is what plays: it may be wanted again.
      expect(valueOf(await propose(ada, room, 1)).outcome).toBe('proposed');
    });

    test('the host dismisses a proposal, also one that is gone', async () => {
      const { mara, ada, room, stream, idOf } = await roomOfThree();
      valueOf(await propose(ada, room, 1));
      const proposalId = await idOf(1);
      for (const _time of [1, 2]) valueOf(await mara.ask('rooms/dismissProposal', { ...room, proposalId }));
      await expect.poll(() => ada.changes(stream).at(-1)).toEqual({ type: 'rooms/proposalRemoved', proposalId });
      expect(await seen(ada, room)).toEqual({ proposals: [], ownVotes: [], queued: [] });
    });

    test('each person has one vote, and can take it back; the last one takes the proposal with it (VOTE-1)', async () => {
      const { ada, ivo, room, stream, idOf } = await roomOfThree();
      valueOf(await propose(ada, room, 1));
      const proposalId = await idOf(1);
      for (const _time of [1, 2]) valueOf(await vote(ivo, room, proposalId));
      const voted = { type: 'rooms/proposalVoted', proposalId, uid: ivo.uid, isOn: true, votes: 2, proposer: ada.uid };
      await expect.poll(() => ada.changes(stream).at(-1)).toEqual(voted);
      for (const _time of [1, 2]) valueOf(await vote(ivo, room, proposalId, false));
      await expect.poll(() => ada.changes(stream).at(-1)).toEqual({ ...voted, isOn: false, votes: 1 });
      valueOf(await vote(ada, room, proposalId, false));
      await expect.poll(() => ivo.changes(stream).at(-1)).toEqual({ type: 'rooms/proposalRemoved', proposalId });
      expect(codeOf(await vote(ivo, room, proposalId))).toBe('access/not-found');
      valueOf(await vote(ivo, room, proposalId, false));
    });

    test('a proposal that is taken back while others vote for it is theirs', async () => {
      const { ada, ivo, room, idOf } = await roomOfThree();
      valueOf(await propose(ada, room, 1));
      valueOf(await vote(ivo, room, await idOf(1)));
      valueOf(await vote(ada, room, await idOf(1), false));
      expect((await seen(ada, room)).proposals).toMatchObject([{ proposer: ivo.uid, votes: 1 }]);
    });

    test('leaving or removal deletes the guest’s proposals and votes (PROP-7)', async () => {
      const { mara, ada, ivo, room, stream, idOf } = await roomOfThree();
      for (const n of [1, 2]) valueOf(await propose(ada, room, n));
      const shared = await idOf(2);
      valueOf(await vote(ivo, room, shared));
      valueOf(await propose(ivo, room, 3));
      valueOf(await leave(ada, room));
      const left = () => ivo.changes(stream).some(({ type }) => type === 'rooms/participantLeft');
      await expect.poll(left).toBe(true);
      // A proposal that she did not vote for sends her nothing.
      const takenBack = ivo.changes(stream).flatMap((each) => (each.type === 'rooms/proposalVoted' ? [each] : []));
      expect(takenBack.filter(({ isOn }) => !isOn).map(({ proposalId }) => proposalId)).toEqual([shared]);
      expect((await seen(mara, room)).proposals).toMatchObject([
        { title: 'Track 2', proposer: ivo.uid, votes: 1 },
        { title: 'Track 3', proposer: ivo.uid, votes: 1 },
      ]);
      valueOf(await mara.ask('rooms/removeParticipant', { ...room, uid: ivo.uid, forGood: false }));
      expect((await seen(mara, room)).proposals).toEqual([]);
    });

    test('of Add and Take back at once one comes first: it is queued, or gone, and never both (PROP-8)', async () => {
      const { mara, ada, room, idOf } = await roomOfThree();
      valueOf(await propose(ada, room, 1));
      const id = await idOf(1);
      const [added, takenBack] = await Promise.all([add(mara, room, id), vote(ada, room, id, false)]);
      expect(codeOf(takenBack)).toBe('ok');
      expect(['ok', 'access/not-found']).toContain(codeOf(added));
      const { proposals, queued } = await seen(mara, room);
      expect([proposals, queued]).toEqual([[], added.ok ? [['Track 1', ada.uid]] : []]);
    });

    test('of Add and the proposer’s leaving at once one comes first (PROP-8)', async () => {
      const { mara, ada, room, idOf } = await roomOfThree();
      valueOf(await propose(ada, room, 1));
      const [added, left] = await Promise.all([add(mara, room, await idOf(1)), leave(ada, room)]);
      expect(codeOf(left)).toBe('ok');
      const { proposals, queued } = await seen(mara, room);
      expect([proposals, queued]).toEqual([[], added.ok ? [['Track 1', ada.uid]] : []]);
    });
  });

  test('of two who propose at once at the cap of fifty one is refused, and a vote is still possible (PROP-4)', async () => {
    const mara = await w.arrive('Mara');
    const room = await w.room(mara, 'video');
    const guests: Tab[] = [];
    const perPerson = limits.waitingPerPerson;
    for (let g = 0; g < limits.proposalsPerRoom / perPerson + 1; g += 1) {
      const guest = await w.arrive(`Guest ${String(g)}`);
      w.clock.advance(10_000);
      await w.letIn(mara, guest, room);
      guests.push(guest);
    }
    const [one, other, ...rest] = guests;
    if (!one || !other) throw new Error('no person came');
    const numbers = Array.from({ length: limits.proposalsPerRoom - 1 }, (_, n) => n);
    for (const n of numbers) {
      const guest = n < perPerson - 1 ? one : rest[Math.floor((n - perPerson + 1) / perPerson)];
      valueOf(await propose(guest ?? other, room, n));
    }
    const both = await Promise.all([propose(one, room, 900), propose(other, room, 901)]);
    expect(both.map(codeOf).toSorted()).toEqual(['ok', 'proposals/full']);
    expect((await seen(mara, room)).proposals).toHaveLength(limits.proposalsPerRoom);
    expect(valueOf(await propose(other, room, 3)).outcome).toBe('voted');
  });

  test('with the room its proposals and votes are gone', async () => {
    const [mara, ada] = [await w.arrive('Mara'), await w.arrive('Ada')];
    const room = await w.room(mara, 'audio');
    await w.letIn(mara, ada, room);
    valueOf(await propose(ada, room, 1));
    const kept = async () => {
      const rows = await w.db.selectFrom('proposal_votes').select('uid').where('uid', '=', ada.uid).execute();
      return rows.length;
    };
    expect(await kept()).toBe(1);
    valueOf(await mara.ask('rooms/leave', room));
    expect(await kept()).toBe(0);
  });
});

test('a guest’s search that goes out is one of the host’s', async () => {
  const api = await startFakeDataApi();
  api.answer = (_call, response) => sendJson(response, { items: [] });
  const w = await openSocketWorld({ env: { YOUTUBE_API_KEY: 'a-key', YOUTUBE_API_URL: api.url } });
  const [mara, ada] = [await w.arrive('Mara'), await w.arrive('Ada')];
  const room = await w.room(mara, 'video');
  await w.letIn(mara, ada, room);
  expect(valueOf(await ada.ask('catalogue/search', { ...room, query: 'night bus' })).status).toBe('ok');
  const spent = await w.db.selectFrom('search_budget').select('key').where('key', 'like', 'host:%').execute();
  expect(spent.map(({ key }) => key.split(':')[1])).toEqual([mara.uid]);
  await w.close();
  await api.close();
});

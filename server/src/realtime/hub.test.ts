/** Who gets which batch, against a model: random comings, goings and deliveries over fake links. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { userStream, roomStream, type StreamId, type TabId, type Uid } from '@tunemate/protocol';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import {
  openSocketWorld,
  type Room,
  type SocketWorld,
  type Tab,
  userChangeTypes,
} from '@tunemate/testkit/worlds/socket-world';
import type { Caller } from '../access/caller.ts';
import { createLog } from '../system/logging.ts';
import { accept } from '../system/ports.ts';
import { helloAdmission } from './connection.ts';
import { Hub, databaseWatch } from './hub.ts';
import { createTurns } from './turns.ts';
import type { Link, LinkListener } from './link.ts';
import { openDatabase } from '../storage/database.ts';
import { StreamRecord } from '../storage/record.ts';

const log = createLog('silent');
const people = 4;
const streams = ['room:a', 'room:b', 'user:c'] as StreamId[];

/** A link that keeps the frames sent to it, the very buffers. */
function fakeLink(n: number) {
  let listener: LinkListener | null = null;
  const frames: Buffer[] = [];
  const link = {
    id: `link ${String(n)}`,
    owner: { session: { uid: `uid ${String(n)}`, sessionId: 's' }, address: '' },
    isOpen: true,
    unsent: { bytes: 0, frames: 0 },
    stuckMs: null,
    heardAtMs: 0,
    listen: (to: LinkListener) => void (listener = to),
    send: (frame: Buffer) => void (link.isOpen && frames.push(frame)),
    end() {
      link.isOpen = false;
      listener?.onEnd('lost');
    },
    close: () => link.end(),
    terminate: () => link.end(),
    flushed: () => Promise.resolve(),
  };
  return { link, frames };
}

function setUp() {
  let opened: (link: Link) => void = () => undefined;
  const server = { onLink: (to: typeof opened) => void (opened = to), close: () => Promise.resolve() };
  const hub = new Hub(server, log, () => undefined);
  const deps = {
    probe: () => null,
    dispatch: () => Promise.resolve({ result: accept({}), isViolation: false }),
    log,
    limitScale: 0,
    mostTogether: 1,
    admission: helloAdmission(),
    opened: () => Promise.resolve(accept({})),
    closed: () => Promise.resolve(),
  };
  hub.open(deps, createTurns(0));
  const links = Array.from({ length: people }, (_, n) => fakeLink(n));
  for (const { link } of links) opened(link as unknown as Link);
  return { hub, links };
}

const callerOf = (n: number): Caller => ({
  uid: `uid ${String(n)}` as Uid,
  sessionId: 's',
  connectionId: `link ${String(n)}`,
  tabId: 't' as TabId,
  address: '',
});
const numberIn = (frame: Buffer) => Number(/"from":(\d+)/.exec(frame.toString())?.[1]);

const step = fc.record({
  act: fc.constantFrom('join', 'join', 'leave', 'expel all', 'end', 'deliver', 'deliver', 'ephemeral'),
  who: fc.nat({ max: people - 1 }),
  stream: fc.nat({ max: streams.length - 1 }),
});

test('each follower gets each batch once and in order, others none, and no stream outlives its followers (WIRE-72)', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { hub, links } = setUp();
      const follows = links.map(() => new Set<StreamId>());
      const expected: number[][] = links.map(() => []);
      const isGone = links.map(() => false);
      for (const [number, { act, who, stream: at }] of steps.entries()) {
        const stream = streams[at] as StreamId;
        const all = follows.filter((each) => each.has(stream));
        if (act === 'join') {
          hub.join(callerOf(who), stream);
          if (!(isGone[who] ?? true)) follows[who]?.add(stream);
        } else if (act === 'leave') {
          hub.leave(callerOf(who), stream);
          follows[who]?.delete(stream);
        } else if (act === 'expel all') {
          hub.expel(stream, null);
          for (const each of all) each.delete(stream);
        } else if (act === 'end') {
          links[who]?.link.end();
          isGone[who] = true;
          follows[who]?.clear();
        } else {
          const to = act === 'deliver' ? [stream] : streams;
          follows.forEach((each, n) => to.some((one) => each.has(one)) && expected[n]?.push(number));
          if (act === 'deliver') hub.deliver({ stream, from: number, changes: [] });
          else hub.sendEphemeral(streams, { type: 'x', from: number } as never);
        }
        for (const each of streams) expect(hub.size(each)).toBe(follows.filter((some) => some.has(each)).length);
      }
      expect(links.map(({ frames }) => frames.map(numberIn))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('a batch is encoded once for all who follow (WIRE-72)', () => {
  const { hub, links } = setUp();
  const [stream] = streams as [StreamId];
  for (const n of links.keys()) hub.join(callerOf(n), stream);
  hub.deliver({ stream, from: 1, changes: [] });
  expect(new Set(links.map(({ frames }) => frames[0])).size).toBe(1);
});

describe('database watch', () => {
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

  test('people are sent away once the database was away three times in a row, and again while it is away', async () => {
    let isReachable = true;
    const leave = vi.fn();
    const look = databaseWatch({ isReachable: () => Promise.resolve(isReachable), leave, log });
    await look();
    isReachable = false;
    await look();
    await look();
    isReachable = true;
    await look();
    isReachable = false;
    await look();
    await look();
    expect(leave).not.toHaveBeenCalled();
    await look();
    expect(leave).toHaveBeenCalledTimes(1);
    await look();
    expect(leave).toHaveBeenCalledTimes(2);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });
});

/** Delivery over real sockets: everything while a member, nothing after leaving, one result of competing answers. */
describeEachDialect('delivery', (makeDatabaseUrl, dialect) => {
  const say = (tab: Tab, room: Room, text: string) =>
    tab.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text });

  let w: SocketWorld;
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await makeDatabaseUrl();
    w = await openSocketWorld({ databaseUrl });
  });
  afterAll(() => w.close());

  async function enter(tab: Tab, room: Room): Promise<StreamId> {
    return roomStream(valueOf(await tab.ask('rooms/enter', room)).room.roomId);
  }

  // The same code on both databases: PostgreSQL is asked about one kind only, for the time it takes.
  describe.each([kindOn(dialect)])('in rooms of kind %s', (kind) => {
    let host: Tab;
    let guest: Tab;
    let room: Room;
    let stream: StreamId;

    async function stage(): Promise<void> {
      [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      room = await w.room(host, kind);
      await w.letIn(host, guest, room);
      stream = await enter(host, room);
      await enter(guest, room);
    }

    test('no page receives anything of a room after its end, whatever is still written of it (ROOM-37)', async () => {
      await stage();
      valueOf(await host.ask('rooms/leave', { ...room, ends: true }));
      for (const tab of [host, guest]) await expect.poll(() => tab.changes(stream).at(-1)?.type).toBe('rooms/ended');
      const database = openDatabase(databaseUrl);
      const record = new StreamRecord(database, w.clock);
      const own = userStream(guest.uid);
      await record.write([stream, own], async (writing) => {
        await writing.append(stream, { type: 'rooms/set', settings: { isLocked: true } });
        await writing.append(own, { type: 'notifications/read' });
      });
      await database.close();
      await w.pass(0);
      await expect.poll(() => guest.changes(own).at(-1)?.type).toBe('notifications/read');
      for (const tab of [host, guest]) expect(tab.changes(stream).at(-1)?.type).toBe('rooms/ended');
    });

    test('a member who leaves receives their own leaving last, on every tab, whatever was being delivered (ROOM-36)', async () => {
      await stage();
      const second = await w.connect(guest);
      await enter(second, room);
      const talk = Array.from({ length: 20 }, (_, n) => say(host, room, String(n)));
      await guest.ask('rooms/leave', room);
      await Promise.all([...talk, say(host, room, 'afterwards')]);
      const last = { type: 'rooms/participantLeft', uid: guest.uid, people: 1 };
      await expect.poll(() => JSON.stringify(host.changes(stream))).toContain('afterwards');
      await expect.poll(() => [guest.changes(stream).at(-1), second.changes(stream).at(-1)]).toEqual([last, last]);
      expect(codeOf(await say(guest, room, 'still here'))).toBe('room/not-member');
      expect([...host.gaps, ...guest.gaps, ...second.gaps]).toEqual([]);
    });

    test('the end of a room is the last change that members receive of it (ROOM-37)', async () => {
      await stage();
      const talk = Array.from({ length: 10 }, (_, n) => say(guest, room, String(n)));
      const left = host.ask('rooms/leave', room);
      const answers = await Promise.all([...talk, say(guest, room, 'too late')]);
      valueOf(await left);
      for (const tab of [host, guest]) await expect.poll(() => tab.changes(stream).at(-1)?.type).toBe('rooms/ended');
      const said = guest.changes(stream).filter(({ type }) => type === 'rooms/messageSent');
      expect(said).toHaveLength(answers.filter(({ ok }) => ok).length);
      expect(answers.flatMap((each) => (each.ok ? [] : [each.error.code])).every((code) => code === 'room/ended')).toBe(
        true,
      );
      expect(codeOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }))).toBe('room/ended');
    });

    test('a pending or declined requester receives nothing of the room but the answer (JOIN-21)', async () => {
      await stage();
      const asker = await w.arrive('Ada');
      await asker.ask('rooms/askToJoin', room);
      valueOf(await say(host, room, 'secret'));
      await host.ask('rooms/rejectRequest', { ...room, uid: asker.uid });
      await expect.poll(() => userChangeTypes(asker)).toEqual(['rooms/requestAnswered']);
      valueOf(await say(host, room, 'secret too'));
      expect(codeOf(await asker.ask('clock/probe', {}))).toBe('ok');
      expect(asker.changes(stream)).toEqual([]);
    });

    test('a re-admitted member sees the full history; a member who left sees none', async () => {
      await stage();
      valueOf(await say(guest, room, 'before'));
      await guest.ask('rooms/leave', room);
      valueOf(await say(host, room, 'meanwhile'));
      expect(codeOf(await guest.ask('rooms/earlierMessages', { ...room, before: 'x' }))).toBe('room/not-member');
      await w.letIn(host, guest, room);
      const { messages } = valueOf(await guest.ask('rooms/enter', room));
      expect(messages.map(({ text }) => text)).toEqual(['before', 'meanwhile']);
    });

    test('of two tabs of the host that answer at once the first wins, and the requester hears one answer (JOIN-22)', async () => {
      await stage();
      const other = await w.connect(host);
      const asker = await w.arrive('Ada');
      await asker.ask('rooms/askToJoin', room);
      const answers = await Promise.all([
        host.ask('rooms/acceptRequest', { ...room, uid: asker.uid }),
        other.ask('rooms/rejectRequest', { ...room, uid: asker.uid }),
      ]);
      expect(answers.map(codeOf).sort()).toEqual(['ok', 'room/request-resolved']);
      await expect
        .poll(() => userChangeTypes(asker).filter((type) => type === 'rooms/requestAnswered'))
        .toHaveLength(1);
    });

    test('accepting twice at once gives one membership, one list entry and two equal answers (JOIN-23)', async () => {
      await stage();
      const other = await w.connect(host);
      const asker = await w.arrive('Ada');
      await asker.ask('rooms/askToJoin', room);
      const answers = await Promise.all(
        [host, other].map((tab) => tab.ask('rooms/acceptRequest', { ...room, uid: asker.uid })),
      );
      expect(answers.map(codeOf)).toEqual(['ok', 'ok']);
      await expect.poll(() => userChangeTypes(asker)).toContain('rooms/requestAnswered');
      expect(userChangeTypes(asker).filter((type) => type === 'tunemates/added')).toHaveLength(1);
      const joined = () => host.changes(stream).filter((each) => each.type === 'rooms/participantJoined');
      await expect.poll(joined).toMatchObject([{ participant: { uid: asker.uid } }]);
      const document = valueOf(await w.connect(asker).then((tab) => tab.ask('rooms/enter', room))).room;
      expect(document.participants.map(({ uid }) => uid).filter((uid) => uid === asker.uid)).toHaveLength(1);
    });

    test('of withdrawing and accepting at once one happens, and both sides agree which (JOIN-24)', async () => {
      await stage();
      const asker = await w.arrive('Ada');
      await asker.ask('rooms/askToJoin', room);
      const [accepted, withdrawn] = await Promise.all([
        host.ask('rooms/acceptRequest', { ...room, uid: asker.uid }),
        asker.ask('rooms/cancelRequest', room),
      ]);
      expect(accepted.ok).not.toBe(withdrawn.ok);
      expect(codeOf(await asker.ask('rooms/enter', room))).toBe(accepted.ok ? 'ok' : 'room/not-member');
      expect([codeOf(accepted), codeOf(withdrawn)]).toContain(
        accepted.ok ? 'room/request-resolved' : 'access/not-found',
      );
    });

    test('the request of a deleted account can’t be accepted', async () => {
      await stage();
      const asker = await w.arrive('Ada');
      await asker.ask('rooms/askToJoin', room);
      await w.db
        .updateTable('users')
        .set({ deleted_at_ms: 1, email_verified: 0 })
        .where('uid', '=', asker.uid)
        .execute();
      const accept = () => host.ask('rooms/acceptRequest', { ...room, uid: asker.uid });
      expect(codeOf(await accept())).toBe('access/not-found');
      expect(valueOf(await host.ask('rooms/enter', room)).requests).toEqual([]);
    });

    test('a lost connection or a reload keeps the membership, and the snapshot continues the stream (ROOM-38)', async () => {
      await stage();
      guest.cut();
      for (let n = 0; n < 30; n += 1) valueOf(await say(host, room, String(n)));
      const back = await w.connect(guest);
      const { seq, messages } = valueOf(await back.ask('rooms/enter', room));
      expect(messages.map(({ text }) => text)).toEqual(Array.from({ length: 30 }, (_, n) => String(n)));
      valueOf(await say(host, room, 'next'));
      await expect.poll(() => back.numbers(stream).filter((number) => number > seq)).toEqual([seq + 1]);
    });

    test('a connection is in one room at a time (ROOM-39)', async () => {
      await stage();
      const other = await w.room(host, kind, 'Other');
      await enter(host, other);
      valueOf(await say(guest, room, 'who hears this?'));
      await expect.poll(() => guest.changes(stream).at(-1)?.type).toBe('rooms/messageSent');
      expect(host.changes(stream).some(({ type }) => type === 'rooms/messageSent')).toBe(false);
    });
  });

  describe('sessions', () => {
    const browserOf = (person: Person) => {
      const browser = w.app.visitor();
      browser.setCookie(person.cookie);
      return browser;
    };

    test('signing out closes all tabs of the session at once, with a reason, and they are offline', async () => {
      const tab = await w.arrive('Ivo');
      const second = await w.connect(tab);
      w.clock.advance(5000);
      await browserOf(tab).call('POST /api/accounts/sign-out', {});
      await expect.poll(() => [tab.socket.connected, second.socket.connected]).toEqual([false, false]);
      expect([...tab.goodbyes, ...second.goodbyes]).toEqual([{ code: 'auth/required' }, { code: 'auth/required' }]);
      await expect.poll(() => w.stateOf(tab)).toBe('offline');
      await expect(w.connect(tab)).rejects.toThrow('auth/required');
    });

    test('requests that had not begun when the session ended are dropped (WIRE-27)', async () => {
      const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      const room = await w.room(host, 'video');
      await w.letIn(host, guest, room);
      const said = Array.from({ length: 200 }, (_, n) => say(guest, room, String(n)));
      const talk = Promise.allSettled(said);
      await said[0];
      await browserOf(guest).call('POST /api/accounts/sign-out', {});
      const acknowledged = (await talk).filter((each) => each.status === 'fulfilled' && each.value.ok).length;
      // The one that had begun may come to its end, whether or not its answer still arrived.
      const table = w.db.selectFrom('room_chat').innerJoin('rooms', 'rooms.room_id', 'room_chat.room_id');
      const kept = async () => (await table.select('number').where('code', '=', room.code).execute()).length;
      await expect.poll(async () => (await kept()) === (await kept())).toBe(true);
      expect(await kept()).toBeLessThanOrEqual(acknowledged + 1);
    });

    test('the connections of an expired session are closed by the next check', async () => {
      const tab = await w.arrive('Ivo');
      const other = await w.arrive('Ada');
      const fresh = { last_seen_at_ms: w.clock.now() + 8 * 24 * 3_600_000 };
      await w.db.updateTable('sessions').set(fresh).where('session_id', '<>', tab.sessionId).execute();
      await w.pass(7 * 24 * 3_600_000 + 1);
      await expect.poll(() => tab.goodbyes).toEqual([{ code: 'auth/required' }]);
      expect(codeOf(await other.ask('clock/probe', {}))).toBe('ok');
    });

    test('a change on a person’s stream reaches all their tabs and no other person (WIRE-29)', async () => {
      const [tab, bystander] = [await w.arrive('Ivo'), await w.arrive('Ada')];
      const second = await w.connect(tab);
      await browserOf(tab).call('PATCH /api/accounts/me', { name: 'Ivo the Second' });
      for (const each of [tab, second]) await expect.poll(() => userChangeTypes(each)).toContain('accounts/changed');
      expect(bystander.changes(userStream(tab.uid))).toEqual([]);
    });
  });
});

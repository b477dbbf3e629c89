/** An account that is deleted while its user is active elsewhere leaves no data behind. */
import { hostStream, type Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { codeOf, newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { expect, test, vi } from 'vitest';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { anyBytes } from '../chats/kept-bytes.ts';
import { uploadFiles } from '../chats/uploads/upload-files.ts';
import { uploadsService } from '../chats/uploads/uploads.ts';
import { randomIds } from '../system/machine.ts';
import { createLog } from '../system/logging.ts';
import { queuesService } from '../rooms/queues/queues.ts';
import type { Schema } from '../storage/schema.ts';
import { accept } from '../system/ports.ts';
import { liveRoomsHostedBy } from '../rooms/lifecycle/rooms-store.ts';
import type { AccountHook } from './accounts-deps.ts';
import { removalService } from './removal.ts';
import { sessionsService } from './sign-in/sessions.ts';
import { accountByUid } from './users-store.ts';

describeEachDialect('removing an account', (makeDatabaseUrl) => {
  async function stage() {
    const w = await openRoomWorld(await makeDatabaseUrl());
    const { record, clock } = w;
    const ids = randomIds();
    const sessions = sessionsService({ record, clock, ids, log: createLog('silent'), readCookie: () => null });
    const hooks: AccountHook[] = [w.rooms.accountHook];
    const logged: object[] = [];
    const log = {
      ...createLog('silent'),
      error: ({ uid }: { uid?: unknown }, event: string) => void logged.push({ event, uid }),
    };
    const removal = removalService({ record, clock, log, sessions, hooks });
    const remove = async (uid: Uid) => {
      const account = await accountByUid(record.db, uid);
      if (account) await removal.remove(account, 'account.deleted', '127.0.0.1');
    };
    return { w, hooks, removal, remove, logged };
  }

  const liveRooms = async (w: RoomWorld, uid: Uid): Promise<number> =>
    (await liveRoomsHostedBy(w.record.db, uid)).length;

  test('refuses a new room while the account is being deleted, and ends the earlier ones', async () => {
    const { w, hooks, remove } = await stage();
    const host = await w.person('Mara');
    await w.roomOf(host, 'video');
    const late: string[] = [];
    // As if another tab requested it while the account's rooms are being ended.
    hooks.push({
      onDeleting: async () => {
        const payload = { clientId: newClientId(), kind: 'audio', name: 'Too late' } as const;
        late.push(refusalOf(await w.handlers['rooms/create'](host, payload)));
      },
    });
    await remove(host.uid);
    expect({ late, live: await liveRooms(w, host.uid) }).toEqual({ late: ['auth/required'], live: 0 });
  });

  test('leaves none of twenty rooms made while the account is being deleted', async () => {
    const { w, remove } = await stage();
    const host = await w.person('Mara');
    const make = () => w.handlers['rooms/create'](host, { clientId: newClientId(), kind: 'video', name: 'Now' });
    await Promise.all([...Array.from({ length: 10 }, make), remove(host.uid), ...Array.from({ length: 10 }, make)]);
    expect(await liveRooms(w, host.uid)).toBe(0);
  });

  test('a user whose account is being deleted does not become a member', async () => {
    const { w, hooks, remove } = await stage();
    const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    const room = await w.roomOf(host, 'video');
    valueOf(await w.handlers['rooms/askToJoin'](guest, room));
    hooks.push({
      onDeleting: async () => void (await w.handlers['rooms/acceptRequest'](host, { ...room, uid: guest.uid })),
    });
    await remove(guest.uid);
    expect(valueOf(await w.handlers['rooms/enter'](host, room)).room.participants).toMatchObject([{ uid: host.uid }]);
  });

  test('its requests to join go from the lists of hosts, and its name from the rooms that it asked to enter', async () => {
    const { w, remove } = await stage();
    const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    const [asked, declined, ended] = [
      await w.roomOf(host, 'video'),
      await w.roomOf(host, 'audio'),
      await w.roomOf(host, 'video'),
    ];
    for (const room of [asked, declined, ended]) valueOf(await w.handlers['rooms/askToJoin'](guest, room));
    valueOf(await w.handlers['rooms/rejectRequest'](host, { ...declined, uid: guest.uid }));
    valueOf(await w.handlers['rooms/leave'](host, ended));
    const { room, requests } = valueOf(await w.handlers['rooms/enter'](host, asked));
    expect(requests).toHaveLength(1);
    await remove(guest.uid);
    expect(valueOf(await w.handlers['rooms/enter'](host, asked)).requests).toEqual([]);
    expect((await w.changesOf(hostStream(room.roomId))).at(-1)).toMatchObject({
      ...{ type: 'rooms/requestChanged', request: { uid: guest.uid, name: '', status: null } },
    });
    for (const table of ['room_requests', 'audioroom_requests'] as const) {
      expect(await w.record.db.selectFrom(table).select('name').where('uid', '=', guest.uid).execute()).toEqual([]);
    }
  });

  test('a removal that failed halfway is finished later, once', async () => {
    const { w, hooks, removal, remove, logged } = await stage();
    const host = await w.person('Mara');
    await w.roomOf(host, 'video');
    let calls = 0;
    hooks.unshift({
      onDeleting: () => ((calls += 1) === 1 ? Promise.reject(new Error('database away')) : Promise.resolve()),
    });
    await remove(host.uid);
    // Another process may still be working on it.
    await removal.finish();
    expect(calls).toBe(1);
    expect(logged).toEqual([{ event: 'account.not-cleared', uid: host.uid }]);
    expect({ account: await accountByUid(w.record.db, host.uid), live: await liveRooms(w, host.uid) }).toEqual({
      account: null,
      live: 1,
    });
    for (let round = 0; round < 2; round += 1) {
      w.clock.advance(61_000);
      await removal.finish();
    }
    expect({ calls, live: await liveRooms(w, host.uid) }).toEqual({ calls: 2, live: 0 });
  });

  test('what its user asks for once it is deleted is refused, and leaves nothing of them', async () => {
    const { w, hooks, remove } = await stage();
    hooks.splice(0, hooks.length, ...w.accountHooks);
    const [late, other] = [await w.person('Mara'), await w.person('Ivo')];
    const files = await makeTempDir('late');
    const queues = queuesService({ record: w.record, ids: w.ids, notify: () => undefined, isInLibrary: () => true });
    const { clock, ids, record } = w;
    const uploads = uploadsService({
      kept: anyBytes,
      record,
      files: uploadFiles(files.path),
      clock,
      ids,
      log: createLog('silent'),
    });
    const decoded = { contents: { full: Buffer.from('x') }, row: { width: 1, height: 1, voice: null }, value: {} };
    await remove(late.uid);
    const before = await rowsWith(w, late.uid);
    const tracks = [trackOf(1)];
    const answers = [
      await queues.keep(late.uid, { clientId: newClientId(), kind: 'video', name: 'Late', tracks }),
      await uploads.store(accept({}), { uid: late.uid, other: other.uid, decode: async () => accept(decoded) }),
      await w.handlers['chats/block'](late, { uid: other.uid, isBlocked: true }),
      await w.handlers['reports/send'](late, {
        clientId: newClientId(),
        uid: other.uid,
        about: { type: 'person' },
        reason: 'Late',
      }),
      await w.handlers['soulmate/ask'](late, { clientId: newClientId(), uid: other.uid }),
      await w.handlers['chats/send'](late, { clientId: newClientId(), uid: other.uid, text: 'Late' }),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'auth/required'));
    expect(await rowsWith(w, late.uid)).toEqual(before);
    await files.remove();
  });
});

/** How many rows of each table have this person in any column. */
async function rowsWith({ database: { db } }: RoomWorld, uid: Uid): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const { name } of await db.introspection.getTables()) {
    if (name.startsWith('private_search')) continue;
    const all = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute();
    const count = all.filter((row) => JSON.stringify(row).includes(uid)).length;
    if (count > 0) rows[name] = count;
  }
  return rows;
}

/** Deleting an account that very many people know: on SQLite others are served only between its writes. */
describeEachDialect('deleting an account that many know', (makeDatabaseUrl, dialect) => {
  const people = 120;
  /** With the account's own. */
  const mostStreams = 51;

  test('changes a few people’s lists and inboxes in each write, and all of them in the end', async () => {
    const world = await openPeopleWorld(makeDatabaseUrl, dialect);
    const { db } = world.record;
    const star = await world.addPerson('Star');
    const uids = Array.from({ length: people }, (_, n) => `M${String(n).padStart(21, '0')}` as Uid);
    await insertUsers(
      db,
      uids.map((uid) => ({ uid, name: 'Mate', nowMs: 0 })),
    );
    await db
      .insertInto('tunemates')
      .values(uids.map((uid) => ({ uid, mate: star, added_at_ms: 0, position: 1 })))
      .execute();
    const invitation = { type: 'now-playing', message: '', sender_uid: star, sender_name: 'Star', about: '' } as const;
    const unread = { room: null, room_id: null, is_read: 0, timestamp_ms: 0 };
    await db
      .insertInto('notifications')
      .values(uids.map((uid) => ({ id: `n-${uid}`, uid, ...invitation, ...unread })))
      .execute();
    const { record } = world;
    const write = record.write.bind(record);
    const named: number[] = [];
    vi.spyOn(record, 'write').mockImplementation(async (streams, work) => {
      named.push((typeof streams === 'function' ? await streams(db) : streams).length);
      return await write(streams, work);
    });

    await world.removePerson(star);

    expect(Math.max(...named)).toBeLessThanOrEqual(mostStreams);
    expect(await db.selectFrom('tunemates').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('notifications').selectAll().execute()).toEqual([]);
    const received = uids.map(async (uid) => (await world.changesOf(uid)).map(({ type }) => type).sort());
    expect(new Set((await Promise.all(received)).map(String))).toEqual(
      new Set(['notifications/removed,tunemates/removed']),
    );
  });
});

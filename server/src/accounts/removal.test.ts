/** An account that is deleted while its user is active elsewhere leaves no data behind. */
import { type Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { expect, test } from 'vitest';
import { randomIds } from '../system/machine.ts';
import { createLog } from '../system/logging.ts';
import { liveRoomsHostedBy } from '../rooms/lifecycle/rooms-store.ts';
import type { AccountHook } from './accounts-deps.ts';
import { removalService } from './profile.ts';
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
    await w.close();
  });

  test('leaves none of twenty rooms made while the account is being deleted', async () => {
    const { w, remove } = await stage();
    const host = await w.person('Mara');
    const make = () => w.handlers['rooms/create'](host, { clientId: newClientId(), kind: 'video', name: 'Now' });
    await Promise.all([...Array.from({ length: 10 }, make), remove(host.uid), ...Array.from({ length: 10 }, make)]);
    expect(await liveRooms(w, host.uid)).toBe(0);
    await w.close();
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
    await w.close();
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
    await w.close();
  });
});

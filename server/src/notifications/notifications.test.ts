import { type RoomCode, type RoomId, userStream, type Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomIds } from '../system/machine.ts';
import { append } from '../tunemates/tunemates.ts';
import { deliver } from './notifications.ts';

describeEachDialect('notifications', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 2 });
  });
  afterAll(() => world.close());

  const invite = (from: Uid, to: Uid, clientId = newClientId(), process = 0) =>
    (world.processes[process] ?? world).handlers['notifications/invite'](callerOf(from), { uid: to, clientId });
  const inbox = async (uid: Uid) => (await ownPeopleOf(world, uid)).notifications;
  const mates = async (from: Uid, to: Uid) => append(world.record.db, 'audio', [{ uid: from, mate: to }], 0);
  const pair = async () => {
    const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
    await mates(ada, bob);
    return [ada, bob] as const;
  };

  test('delivers an invitation with the server’s sender, time and words', async () => {
    const [ada, bob] = await pair();
    expect(await invite(ada, bob)).toEqual({ ok: true, value: {} });
    const [notice] = await inbox(bob);
    expect(notice).toEqual({
      id: expect.any(String) as string,
      type: 'now-playing',
      message: 'Ada invites you to listen',
      senderName: 'Ada',
      senderUid: ada,
      timestamp: world.clock.now(),
      isRead: false,
      room: null,
    });
    expect(await world.changesOf(bob)).toEqual([{ type: 'notifications/added', notification: notice, removed: [] }]);
    expect(await world.changesOf(ada)).toEqual([]);
  });

  test('carries the room that the inviter is in, whichever tab invites', async () => {
    const [ada, bob] = await pair();
    const roomId = 'R'.repeat(22);
    const ended = { ended_at_ms: null, host_away_since_ms: null, empty_since_ms: null };
    await world.record.db
      .insertInto('audiorooms')
      .values({ room_id: roomId, code: 'ABC123', name: 'Owls', host: ada, created_at_ms: 0, is_active: 1, ...ended })
      .execute();
    const { connectionId } = callerOf(ada);
    const connection = { connection_id: connectionId, uid: ada, process_id: 'p', opened_at_ms: 0 };
    await world.record.db
      .insertInto('connections')
      .values({ ...connection, room: `audio:${roomId}`, grace_until_ms: null })
      .execute();
    await invite(ada, bob);
    expect(await inbox(bob)).toMatchObject([
      { message: 'Ada invites you to Owls', room: { kind: 'audio', code: 'ABC123', name: 'Owls' } },
    ]);
    await world.record.db.updateTable('connections').set({ connection_id: 'another tab' }).execute();
    await invite(ada, bob);
    expect(await inbox(bob)).toMatchObject([{ room: { kind: 'audio', code: 'ABC123', name: 'Owls' } }]);
    await world.record.db.updateTable('audiorooms').set({ is_active: 0 }).where('room_id', '=', roomId).execute();
    await invite(ada, bob);
    expect(await inbox(bob)).toMatchObject([{ message: 'Ada invites you to listen', room: null }]);
  });

  test('a room that the inviter is not in is refused, and no notification is stored', async () => {
    const [ada, bob] = await pair();
    const payload = { uid: bob, clientId: newClientId(), room: { kind: 'audio' as const, code: 'FFFFFF' as RoomCode } };
    const answer = await world.handlers['notifications/invite'](callerOf(ada), payload);
    expect(refusalOf(answer)).toBe('room/not-member');
    expect(await inbox(bob)).toEqual([]);
  });

  test('refuses who may not be invited', async () => {
    const [ada, bob] = await pair();
    const code = async (from: Uid, to: Uid) => {
      const outcome = await invite(from, to);
      return outcome.ok ? 'ok' : outcome.error.code;
    };
    const nobody = 'z'.repeat(22) as Uid;
    expect(await code(ada, ada)).toBe('input/invalid');
    expect(await code(ada, nobody)).toBe('access/not-found');
    expect(await code(bob, ada)).toBe('access/forbidden');
    await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: true });
    expect(await code(ada, bob)).toBe('access/forbidden');
    expect(await inbox(bob)).toEqual([]);
  });

  test('a soulmate who is on no list may be invited', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    await world.record.db.updateTable('users').set({ soulmate: bob }).where('uid', '=', ada).execute();
    expect(await invite(ada, bob)).toEqual({ ok: true, value: {} });
  });

  test('keeps one of a type from one sender: a repeat is newest and unread again', async () => {
    const [ada, bob] = await pair();
    const eve = await world.addPerson('Eve');
    await mates(eve, bob);
    await invite(ada, bob);
    await world.handlers['notifications/markRead'](callerOf(bob), {});
    world.clock.advance(1000);
    await invite(eve, bob);
    world.clock.advance(1000);
    await invite(ada, bob);
    expect((await inbox(bob)).map(({ senderUid, isRead }) => [senderUid, isRead])).toEqual([
      [ada, false],
      [eve, false],
    ]);
  });

  test('keeps the newest 20 of 25 senders at once, and names the removed ones', async () => {
    const bob = await world.addPerson('Bob');
    const senders = await Promise.all(Array.from({ length: 25 }, () => world.addPerson()));
    for (const sender of senders) await mates(sender, bob);
    await Promise.all(senders.map((sender, index) => invite(sender, bob, newClientId(), index % 2)));
    expect(await inbox(bob)).toHaveLength(20);
    const announced = new Set<string>();
    for (const change of await world.changesOf(bob)) {
      if (change.type !== 'notifications/added') continue;
      announced.add(change.notification.id);
      for (const id of change.removed) announced.delete(id);
    }
    expect((await inbox(bob)).map(({ id }) => id).sort()).toEqual([...announced].sort());
  });

  test('applies one client id once, also at the same moment in two processes (NOTE-6)', async () => {
    const [ada, bob] = await pair();
    const clientId = newClientId();
    const answers = await Promise.all([invite(ada, bob, clientId, 0), invite(ada, bob, clientId, 1)]);
    expect(answers).toEqual([
      { ok: true, value: {} },
      { ok: true, value: {} },
    ]);
    expect(await world.changesOf(bob)).toHaveLength(1);
    const eve = await world.addPerson();
    expect(await invite(ada, eve, clientId)).toEqual({ ok: false, error: { code: 'input/conflict' } });
  });

  test('a person dismisses their own notifications, and other people’s are not found', async () => {
    const [ada, bob] = await pair();
    await invite(ada, bob);
    const id = (await inbox(bob))[0]?.id ?? '';
    const dismiss = (uid: Uid) => world.handlers['notifications/dismiss'](callerOf(uid), { id });
    const notFound = { ok: false, error: { code: 'access/not-found' } };
    expect(await dismiss(ada)).toEqual(notFound);
    expect(await dismiss(bob)).toEqual({ ok: true, value: {} });
    expect(await dismiss(bob)).toEqual(notFound);
    expect(await inbox(bob)).toEqual([]);
    expect((await world.changesOf(bob)).at(-1)).toEqual({ type: 'notifications/removed', id });
  });

  test('marks all as read and says so once', async () => {
    const [ada, bob] = await pair();
    await invite(ada, bob);
    for (let times = 0; times < 2; times += 1) {
      await world.handlers['notifications/markRead'](callerOf(bob), {});
      expect((await inbox(bob)).map(({ isRead }) => isRead)).toEqual([true]);
      // Said with the first, and not again.
      expect((await world.changesOf(bob)).slice(1)).toEqual([{ type: 'notifications/read' }]);
    }
  });

  test('takes what a deleted account sent out of other inboxes', async () => {
    const [ada, bob] = await pair();
    await invite(ada, bob);
    await world.removePerson(ada);
    expect(await inbox(bob)).toEqual([]);
    expect((await world.changesOf(bob)).map(({ type }) => type)).toContain('notifications/removed');
    expect(await world.record.head(userStream(bob))).toBeGreaterThan(1);
  });

  test('keeps one for each room that ended without its host, and all go with the account', async () => {
    const [ada, bob] = await pair();
    await mates(bob, ada);
    valueOf(await invite(bob, ada));
    const tell = (room: string) =>
      world.record.write([userStream(ada)], (writing) =>
        deliver(
          writing,
          { ids: randomIds(), notify: () => undefined },
          ada,
          {
            type: 'host-away',
            senderName: 'Tunemate',
            senderUid: ada,
            room: { kind: 'video', code: 'ABC123' as RoomCode, name: room, letsInUntil: null, hasEnded: true },
          },
          room.repeat(22) as RoomId,
        ),
      );
    for (const room of ['A', 'B', 'A']) await tell(room);
    const kept = (await inbox(ada)).map(({ type, message }) => `${type} ${message}`);
    expect(kept.sort()).toEqual([
      'host-away A ended because you were away',
      'host-away B ended because you were away',
      'now-playing Bob invites you to listen',
    ]);
    await world.removePerson(ada);
    expect(await inbox(ada)).toEqual([]);
  });
});

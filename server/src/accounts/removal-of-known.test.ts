/** Deleting an account that very many people know: on SQLite others are served only between its writes. */
import type { Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { expect, test, vi } from 'vitest';

const people = 120;
/** With the account's own. */
const mostStreams = 51;

describeEachDialect('deleting an account that many know', (makeDatabaseUrl, dialect) => {
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
    await world.close();
  });
});

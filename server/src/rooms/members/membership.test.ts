import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { roomKinds } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test } from 'vitest';
import { openDatabase } from '../../storage/database.ts';
import { roomTables } from '../../storage/room-tables.ts';
import { membershipByCode } from './membership-store.ts';
import { membershipAgain } from './membership.ts';

test.each(roomKinds)(
  'JOIN-24 a person accepted while their membership is read is pending or a member, never a stranger (%s)',
  async (kind) => {
    await using dir = await makeTempDir('membership');
    const path = join(dir.path, 'tunemate.sqlite');
    const w = await openRoomWorld(`sqlite:${path}`);
    const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    const room = await w.roomOf(host, kind);
    valueOf(await w.handlers['rooms/askToJoin'](guest, room));

    const { requests, participants } = roomTables[kind];
    const another = new DatabaseSync(path);
    let isAccepted = false;
    // The host's answer is committed between the two reads, whichever comes first.
    const reading = openDatabase(`sqlite:${path}`, (statement) => {
      if (isAccepted || !(statement.includes(requests) || statement.includes(participants))) return;
      isAccepted = true;
      another.exec(`
        begin;
        insert into ${participants} (room_id, uid, joined_at_ms) select room_id, uid, 1 from ${requests};
        update ${requests} set status = 'accepted', answered_at_ms = 1;
        commit;
      `);
    });
    const found = await membershipByCode(reading.db, kind, room.code, guest.uid);
    if (!found) throw new Error('the room is gone');
    const membership = await membershipAgain(reading.db, found.room, guest.uid, w.clock.now());
    expect(isAccepted).toBe(true);
    expect(['pending', 'participant']).toContain(membership?.role);
    another.close();
    await reading.close();
    await w.close();
  },
);

/** How the host of a room hears of requests to join. */
import { hostStream, userStream, roomKinds } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';

test.each(roomKinds)(
  'in a room of kind %s requests reach the tabs of the host that are in it, numbered from the snapshot on',
  async (kind) => {
    const w = await openSocketWorld();
    const [mara, guest, early, late] = [
      await w.arrive('Mara'),
      await w.arrive('Ivo'),
      await w.arrive('Ada'),
      await w.arrive('Noor'),
    ];
    const room = await w.room(mara, kind);
    await w.letIn(mara, guest, room);
    const elsewhere = await w.connect(mara);
    valueOf(await early.ask('rooms/askToJoin', room));
    const snapshot = valueOf(await mara.ask('rooms/enter', room));
    expect(snapshot.requests.map(({ uid }) => uid)).toEqual([early.uid]);
    expect(valueOf(await guest.ask('rooms/enter', room)).hostSeq).toBeNull();
    const stream = hostStream(snapshot.room.roomId);
    valueOf(await late.ask('rooms/askToJoin', room));
    valueOf(await mara.ask('rooms/acceptRequest', { ...room, uid: early.uid }));
    const sent = (tab: Tab) =>
      tab
        .changes()
        .flatMap((each) => (each.type === 'rooms/requestChanged' ? [[each.request.uid, each.request.status]] : []));
    await expect
      .poll(() => sent(mara))
      .toEqual([
        [late.uid, 'pending'],
        [early.uid, 'accepted'],
      ]);
    const next = (snapshot.hostSeq ?? 0) + 1;
    expect(mara.numbers(stream)).toEqual([next, next + 1]);
    // By the answer, which was stored with the last of them, everybody has what is theirs.
    await expect
      .poll(() => early.changes(userStream(early.uid)).map(({ type }) => type))
      .toContain('rooms/requestAnswered');
    expect([sent(elsewhere), sent(guest)]).toEqual([[], []]);
    expect(mara.gaps).toEqual([]);
    valueOf(await mara.ask('rooms/leave', room));
    await expect.poll(() => mara.changes(stream).at(-1)).toEqual({ type: 'rooms/ended' });
    await w.close();
  },
);

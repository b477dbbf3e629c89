import { roomKinds, type JoinRequest } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { manualTimer } from '../../../testing/connection-fixtures.ts';
import { createFakeConnection } from '../../../testing/fake-connection.ts';
import { guestUid, hostUid, joinRequest, roomSnapshot, testRoomCode } from '../../../testing/room-fixtures.ts';
import { createRoomModel } from '../visit/room-model.ts';
import { asksWith } from './JoinRequests.tsx';
import { createAnnouncer, createRequestsModel, type Announcement, type RequestsModel } from './requests-model.ts';

describe.each(roomKinds)('the join requests of a room of kind %s', (kind) => {
  async function inside(selfUid: string = guestUid, snapshot = roomSnapshot(kind)) {
    const connection = createFakeConnection();
    const { schedule } = manualTimer();
    const address = { connection, kind, code: testRoomCode, selfUid };
    const model = createRoomModel({ ...address, schedule });
    const requests = createRequestsModel({ ...address, room: model, onAdmitted: () => undefined });
    await connection.last('rooms/enter').answer(snapshot);
    return { connection, model, requests };
  }

  const pending = (requests: RequestsModel) => requests.state.get().pending;

  test('shows the host the pending requests, oldest first, as they change', async () => {
    const ada = joinRequest('Ada', 20);
    const ben = joinRequest('Ben', 10);
    const gone = { ...joinRequest('Cy', 5), status: 'rejected' as const };
    const { connection, requests } = await inside(
      hostUid,
      roomSnapshot(kind, { hostSeq: 3, requests: [ada, ben, gone] }),
    );
    expect(pending(requests).map(({ name }) => name)).toEqual(['Ben', 'Ada']);
    connection.pushToHost({ type: 'rooms/requestChanged', request: joinRequest('Dee', 30) });
    connection.pushToHost({ type: 'rooms/requestChanged', request: { ...ben, status: null } });
    connection.pushToHost({ type: 'rooms/requestChanged', request: { ...ada, status: 'accepted' } });
    expect(pending(requests).map(({ name }) => name)).toEqual(['Dee']);
  });

  test('a new host enters again for the requests; the host before has none', async () => {
    const { connection, model, requests } = await inside(guestUid);
    connection.pushToRoom({ type: 'rooms/hostChanged', host: guestUid, hostAwaySince: null });
    const mine = roomSnapshot(kind, { hostSeq: 3, requests: [joinRequest('Ada', 1)] });
    await connection.last('rooms/enter').answer({ ...mine, seq: 11, room: { ...mine.room, host: guestUid } });
    expect(connection.hostSubscriber()?.fromSeq).toBe(3);
    expect(pending(requests).map(({ name }) => name)).toEqual(['Ada']);
    connection.pushToRoom({ type: 'rooms/hostChanged', host: hostUid, hostAwaySince: 5 });
    expect(connection.hostSubscriber()).toBeNull();
    expect(requests.state.get()).toMatchObject({ pending: [], settings: null });
    expect(model.state.get()?.room).toMatchObject({ host: hostUid, hostAwaySince: 5 });
    expect(connection.count('rooms/enter')).toBe(2);
  });

  test('only the host subscribes to requests, and only while being the host', async () => {
    const { connection, model } = await inside();
    expect(connection.hostSubscriber()).toBeNull();
    const asHost = await inside(hostUid, roomSnapshot(kind, { hostSeq: 3 }));
    expect(asHost.connection.hostSubscriber()?.fromSeq).toBe(3);
    void asHost.model.refresh();
    await asHost.connection.last('rooms/enter').answer(roomSnapshot(kind, { hostSeq: null }));
    expect(asHost.connection.hostSubscriber()).toBeNull();
    model.close();
  });

  test('keeps what arrived before the answer to entering: a request, and who comes in as another tab chose', async () => {
    const { connection, model, requests } = await inside(
      hostUid,
      roomSnapshot(kind, { hostSeq: 3, hostSettings: { admits: 'nobody', friendsSee: true } }),
    );
    void model.refresh();
    connection.pushToHost({ type: 'rooms/requestChanged', request: joinRequest('Ada', 1) });
    connection.pushToHost({ type: 'rooms/set', settings: { admits: 'everybody' } });
    await connection
      .last('rooms/enter')
      .answer(roomSnapshot(kind, { hostSeq: 3, hostSettings: { admits: 'nobody', friendsSee: true } }));
    expect(pending(requests).map(({ name }) => name)).toEqual(['Ada']);
    expect(requests.state.get().settings).toEqual({ admits: 'everybody', friendsSee: true });
  });

  test.each([
    ['accept', 'rooms/acceptRequest'],
    ['reject', 'rooms/rejectRequest'],
  ] as const)('answers a request (%s) and takes it off the list', async (answer, name) => {
    const ada = joinRequest('Ada', 1);
    const { connection, requests } = await inside(hostUid, roomSnapshot(kind, { hostSeq: 3, requests: [ada] }));
    const answered = requests.answer(ada.uid, answer);
    expect(connection.last(name).payload).toEqual({ kind, code: testRoomCode, uid: ada.uid });
    await connection.last(name).answer({});
    expect(await answered).toEqual({ ok: true, value: {} });
    expect(pending(requests)).toEqual([]);
  });

  test('removes a request that was cancelled or answered elsewhere meanwhile', async () => {
    const ada = joinRequest('Ada', 1);
    const { connection, requests } = await inside(hostUid, roomSnapshot(kind, { hostSeq: 3, requests: [ada] }));
    const answered = requests.answer(ada.uid, 'accept');
    await connection.last('rooms/acceptRequest').refuse('room/request-resolved');
    expect((await answered).ok).toBe(false);
    expect(pending(requests)).toEqual([]);
  });

  test('enters again when the list of requests is incomplete, and applies the fresh one', async () => {
    const { connection, requests } = await inside(hostUid, roomSnapshot(kind, { hostSeq: 3 }));
    const again = connection.hostSubscriber()?.resnapshot();
    const fresh = [joinRequest('Ada', 1)];
    await connection.last('rooms/enter').answer(roomSnapshot(kind, { hostSeq: 9, requests: fresh }));
    expect(await again).toBe(9);
    expect(pending(requests)).toEqual(fresh);
    // An older change that arrives late is in the list already.
    connection
      .hostSubscriber()
      ?.onChange({ type: 'rooms/requestChanged', request: { ...joinRequest('Ada', 1), status: null } }, 8);
    expect(pending(requests)).toEqual(fresh);
  });
});

describe('the banner for new join requests', () => {
  function fresh() {
    const announce = createAnnouncer();
    let shown: Announcement | null = null;
    return {
      banner: () => shown,
      names: () => shown?.requests.map(({ name }) => name),
      show: (pending: readonly JoinRequest[]) => void (shown = announce(pending, shown)),
      dismiss: () => void (shown = null),
    };
  }
  const ada = joinRequest('Ada', 1);
  const ben = joinRequest('Ben', 2);
  const cy = joinRequest('Cy', 3);

  test('does not announce people who were waiting before the host entered', () => {
    const { banner, show } = fresh();
    show([ada]);
    expect(banner()).toBeNull();
  });

  test('shows a new request until its time is up', () => {
    const { banner, names, show, dismiss } = fresh();
    show([]);
    show([ada]);
    expect(names()).toEqual(['Ada']);
    dismiss();
    expect(banner()).toBeNull();
    show([ada]);
    expect(banner()).toBeNull();
  });

  test('combines several requests, the newest first, and begins anew', () => {
    const { banner, names, show } = fresh();
    show([]);
    show([ada]);
    const first = banner()?.key;
    show([ada, ben, cy]);
    expect(names()).toEqual(['Cy', 'Ben', 'Ada']);
    expect(banner()?.key).not.toBe(first);
    expect([1, 2, 3].map(asksWith)).toEqual(['asks to join', 'asks, and 1 more', 'asks, and 2 more']);
  });

  test('removes answered requests, and closes after the last', () => {
    const { banner, names, show } = fresh();
    show([]);
    show([ada, ben]);
    show([ada]);
    expect(names()).toEqual(['Ada']);
    show([]);
    expect(banner()).toBeNull();
  });

  test('announces a person who asks again', () => {
    const { names, show } = fresh();
    show([ada]);
    show([]);
    show([{ ...ada, askedAt: 99 }]);
    expect(names()).toEqual(['Ada']);
  });
});

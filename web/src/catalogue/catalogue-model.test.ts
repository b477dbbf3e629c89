import { createFakeConnection } from '../../testing/fake-connection.ts';
import { describe, expect, test } from 'vitest';
import { roomKinds } from '@tunemate/protocol';
import { testRoomCode } from '../../testing/room-fixtures.ts';
import { createSearchModel } from './catalogue-model.ts';

const item = (title: string) => ({
  videoId: `lib_${title.padEnd(16, '0')}`,
  title,
  thumbnail: null,
  durationSeconds: 60,
  source: 'library',
});

describe.each(roomKinds)('finding something to play in a room of kind %s', (kind) => {
  const room = { kind, code: testRoomCode };

  test('ignores a blank query', async () => {
    const connection = createFakeConnection();
    await createSearchModel(connection, room).search('  ');
    expect(connection.asked).toEqual([]);
  });

  test('shows results until they are closed', async () => {
    const connection = createFakeConnection();
    const model = createSearchModel(connection, room);
    void model.search(' night bus ');
    expect(model.status.get()).toEqual({ status: 'searching', query: 'night bus' });
    expect(connection.last('catalogue/search').payload).toEqual({ kind, code: testRoomCode, query: 'night bus' });
    const answer = { status: 'ok', items: [item('a')] };
    await connection.last('catalogue/search').answer(answer);
    expect(model.status.get()).toEqual({ status: 'found', query: 'night bus', answer, areLinks: false });
    model.cancel();
    expect(model.status.get()).toEqual({ status: 'closed' });
  });

  test('of a text that is too long to send, its links are sent', async () => {
    const connection = createFakeConnection();
    const model = createSearchModel(connection, room);
    const text = `${'What a song! '.repeat(60)} https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1m, and youtu.be/9bZkp7q19f0`;
    void model.search(text);
    const query = 'youtu.be/dQw4w9WgXcQ?t=60 youtu.be/9bZkp7q19f0';
    await expect.poll(() => connection.last('catalogue/search').payload).toMatchObject({ query });
    const answer = { status: 'ok', items: [item('a')] };
    await connection.last('catalogue/search').answer(answer);
    expect(model.status.get()).toEqual({ status: 'found', query: text.trim(), answer, areLinks: true });
  });

  test('shows only the results of the last query', async () => {
    const connection = createFakeConnection();
    const model = createSearchModel(connection, room);
    void model.search('one');
    const first = connection.last('catalogue/search');
    void model.search('two');
    await first.answer({ status: 'ok', items: [item('a')] });
    expect(model.status.get()).toEqual({ status: 'searching', query: 'two' });
    model.cancel();
    await connection.last('catalogue/search').answer({ status: 'ok', items: [] });
    expect(model.status.get()).toEqual({ status: 'closed' });
  });

  test('asks once for a query that is on its way', async () => {
    const connection = createFakeConnection();
    const model = createSearchModel(connection, room);
    void model.search('one');
    const first = connection.last('catalogue/search');
    void model.search(' one ');
    expect(connection.last('catalogue/search')).toBe(first);
    await first.answer({ status: 'ok', items: [] });
    void model.search('one');
    expect(connection.last('catalogue/search')).not.toBe(first);
  });

  test('a failed search shows no results and does not affect the room', async () => {
    const connection = createFakeConnection();
    const model = createSearchModel(connection, room);
    void model.search('one');
    await connection.last('catalogue/search').refuse('server/unavailable');
    expect(model.status.get()).toEqual({ status: 'failed', refusal: { code: 'server/unavailable' } });
  });
});

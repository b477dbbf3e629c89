/** A device without an account hears the bundled track of a room, and nothing else of it. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { bundledLibrary } from '../paths.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const media = join(bundledLibrary, 'media');

let w: SocketWorld;
beforeAll(async () => {
  w = await openSocketWorld();
});
afterAll(() => w.close());

const choose = async (tab: Tab, room: Room, track: object) =>
  valueOf(
    await tab.ask('playback/write', {
      ...room,
      tabId: tab.tabId,
      clientId: newClientId(),
      intent: { type: 'choose', track: track as ReturnType<typeof trackOf> },
    }),
  );

/** Mara's audio room, in which a bundled track plays, and her browser. */
async function playing() {
  const mara = await w.arrive('Mara');
  const { room } = await w.roomWith(mara, 'audio');
  valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
  const { tracks } = valueOf(await mara.ask('library/tracks', { ...room, view: { type: 'newest' }, from: 0 }));
  const { videoId, title, durationSeconds } = tracks[0] ?? trackOf(0);
  const bundled = { videoId, title, durationSeconds };
  await choose(mara, room, bundled);
  const open = (tab = mara, of: Room = room) => post(tab, of);
  return { mara, room, bundled, open };
}

const post = async ({ cookie }: { cookie: string }, room: Room) => {
  const visitor = w.app.visitor();
  const answer = await visitor.fetch('/api/beside', {
    method: 'POST',
    headers: { cookie, origin: w.app.url, 'content-type': 'application/json' },
    body: JSON.stringify(room),
  });
  return { status: answer.status, body: (await answer.json()) as { value: { key: string; untilMs: number } } };
};

const look = async (key: string) => {
  const answer = await w.app.visitor().fetch(`/api/beside?key=${encodeURIComponent(key)}`);
  return { status: answer.status, body: (await answer.json()) as { value: Record<string, unknown> } };
};
const trackAt = (key: string, headers: Record<string, string> = {}) =>
  w.app.visitor().fetch(`/beside/${encodeURIComponent(key)}/track`, { headers });

describe('a device that is held beside a page', () => {
  test('reads where the bundled track is, and hears its bytes, without a session', async () => {
    const { mara, room, bundled, open } = await playing();
    const { key } = (await open()).body.value;
    const { value } = (await look(key)).body;
    expect(value).toMatchObject({ track: { videoId: bundled.videoId }, timeline: { isPlaying: true } });
    const part = await trackAt(key, { range: 'bytes=0-99' });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '100']);
    const whole = Buffer.from(await (await trackAt(key)).arrayBuffer());
    const files = (await readdir(media)).map(async (name) => hash(await readFile(join(media, name))));
    expect(await Promise.all(files)).toContain(hash(whole));
    expect((await trackAt(key, { range: `bytes=${String(whole.length)}-` })).status).toBe(416);

    valueOf(
      await mara.ask('playback/write', {
        ...room,
        tabId: mara.tabId,
        clientId: newClientId(),
        intent: { type: 'pause' },
      }),
    );
    expect((await look(key)).body.value).toMatchObject({ timeline: { isPlaying: false } });
  });

  test('reads nothing of the room, its people or its code', async () => {
    const { room, open } = await playing();
    const { key } = (await open()).body.value;
    const { value } = (await look(key)).body;
    expect(Object.keys(value).toSorted()).toEqual(['serverReceivedMs', 'serverSentMs', 'timeline', 'track']);
    expect(JSON.stringify(value)).not.toMatch(/Mara|Kitchen/);
    expect(key).not.toContain(room.code);
  });

  test('hears nothing more once the key, the track or the room is over', async () => {
    const first = await playing();
    const { key } = (await first.open()).body.value;
    w.clock.advance(119_000);
    expect((await look(key)).status).toBe(200);
    w.clock.advance(2_000);
    expect([(await look(key)).status, (await trackAt(key)).status]).toEqual([404, 404]);

    const second = await playing();
    const again = (await second.open()).body.value.key;
    await choose(second.mara, second.room, trackOf(1));
    expect([(await look(again)).status, (await trackAt(again)).status]).toEqual([404, 404]);
    await choose(second.mara, second.room, second.bundled);
    expect((await look(again)).status).toBe(200);
    valueOf(await second.mara.ask('rooms/leave', second.room));
    expect([(await look(again)).status, (await trackAt(again)).status]).toEqual([404, 404]);
  });

  test('gets no key but from the host, of a room that plays a bundled track', async () => {
    const { mara, room, open } = await playing();
    const ada = await w.arrive('Ada');
    await w.letIn(mara, ada, room);
    expect([(await open(ada)).status, (await open(await w.arrive('Eve'))).status]).toEqual([404, 404]);
    expect((await open(mara, { ...room, kind: 'video' })).status).toBe(404);
    await choose(mara, room, trackOf(1));
    expect((await open()).status).toBe(404);
  });

  test('gets in with no key that was changed or made up', async () => {
    const { open } = await playing();
    const other = await playing();
    const { key } = (await open()).body.value;
    const parts = key.split('.');
    const [kind, , until, signature] = parts;
    const roomId = (await other.open()).body.value.key.split('.')[1];
    const guesses = [
      [kind, roomId, until, signature],
      [kind, parts[1], (Number.parseInt(until ?? '', 36) + 60_000).toString(36), signature],
      ['video', parts[1], until, signature],
      [kind, parts[1], until, 'A'.repeat(22)],
      [kind, parts[1], until, 'é'.repeat(22)],
      [kind, parts[1], until, ''],
      [...parts, ''],
    ];
    for (const guess of guesses) {
      const made = guess.join('.');
      expect([made, (await look(made)).status]).toEqual([made, 404]);
    }
  });
});

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

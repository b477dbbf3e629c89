import type { VideoId, NamedTrack } from '@tunemate/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { mediaLinks } from './media-links.ts';

const { read, mayPlay } = mediaLinks(['films.example', 'xn--mnchen-3ya.example']);
const idOf = (link: string) => `link:${link}` as VideoId;

describe('links to films', () => {
  test.each<[string, string, string]>([
    ['https://films.example/a/night%20train.mp4', 'link:https://films.example/a/night%20train.mp4', 'night train'],
    ['HTTPS://Films.EXAMPLE./live.M3U8?key=1#t=3', 'link:https://films.example/live.M3U8?key=1', 'live'],
    ['https://films.example:443/x.webm', 'link:https://films.example/x.webm', 'x'],
    ['(https://films.example/../y.mp4),', 'link:https://films.example/y.mp4', 'y'],
    ['https://münchen.example/z.mp4', 'link:https://xn--mnchen-3ya.example/z.mp4', 'z'],
    [
      'https://films.example/Night%20Train%20[1080p].mp4',
      'link:https://films.example/Night%20Train%20%5B1080p%5D.mp4',
      'Night Train [1080p]',
    ],
    [
      'https://films.example/Night Train (2020).mkv.mp4',
      'link:https://films.example/Night%20Train%20(2020).mkv.mp4',
      'Night Train (2020).mkv',
    ],
    ...[
      '[Film](https://films.example/x.mp4)',
      '看：https://films.example/x.mp4。',
      'src="https://films.example/x.mp4"',
      '<https://films.example/x.mp4|Film>',
      'https：//films.example/x.mp4',
      'Films.example/x.mp4',
      '«https://films.example/x.mp4»',
    ].map((text): [string, string, string] => [text, 'link:https://films.example/x.mp4', 'x']),
    ['https://films.example/x.mp4?a=1&amp;b=2', 'link:https://films.example/x.mp4?a=1&b=2', 'x'],
    ['https://films.example/x.mp4/index.m3u8', 'link:https://films.example/x.mp4/index.m3u8', 'index'],
    ['https://films.example/a|b^c.mp4?x[1]={2}', 'link:https://films.example/a%7Cb%5Ec.mp4?x%5B1%5D=%7B2%7D', 'a|b^c'],
    [
      `https://films.example/n.mp4?X-Amz-Credential=A%2F1&X-Amz-Security-Token=${'t'.repeat(1200)}&X-Amz-Signature=${'0'.repeat(64)}`,
      `link:https://films.example/n.mp4?X-Amz-Credential=A%2F1&X-Amz-Security-Token=${'t'.repeat(1200)}&X-Amz-Signature=${'0'.repeat(64)}`,
      'n',
    ],
  ])('%s is one', (text, id, title) => {
    const item = { videoId: id, title, thumbnail: null, durationSeconds: null, source: 'link' };
    expect(read('video', text)).toEqual({ items: [item], isRefused: false });
  });

  test.each([
    'http://films.example/a.mp4',
    'https://ann@films.example/a.mp4',
    'https://ann:secret@films.example/a.mp4',
    'https://films.example:8443/a.mp4',
    'https://127.0.0.1/a.mp4',
    'https://2130706433/a.mp4',
    'https://0x7f000001/a.mp4',
    'https://0x7f.1/a.mp4',
    'https://10.0.0.7/a.mp4',
    'https://[::1]/a.mp4',
    'https://[fe80::1]/a.m3u8',
    'https://localhost/a.mp4',
    'https://printer/a.mp4',
    'https://films.example/a.exe',
    'https://films.example/mp4',
    'https://films.example/a.mp4"onerror=alert(1)',
    'javascript:alert(1)//.mp4',
    'data:video/mp4;base64,AAAA.mp4',
    'blob:https://films.example/a.mp4',
    'link:https://films.example/a.mp4',
    `https://films.example/${'a'.repeat(600)}.mp4`,
  ])('%s is none', (text) => expect(read('video', text)).toBeNull());

  test.each([
    'https://evilfilms.example/a.mp4',
    'https://films.example.evil.test/a.mp4',
    'https://a.films.example/a.mp4',
    'https://films.examples/a.mp4',
    'https://fílms.example/a.mp4',
  ])('%s is not of an allowed host', (text) => {
    expect(read('video', text)).toEqual({ items: [], isRefused: true });
  });

  test.each([
    ['https://films.example/watch/17', true],
    ['https://films.example/a.mkv', true],
    ['http://films.example/a.mp4', true],
    [`https://films.example/a.mp4?k=${'s'.repeat(1900)}`, true],
    ['https://other.example/a.mkv', false],
    ['films example', false],
  ])('a page says why %s is not played: %s', (text, isSaid) => {
    const { isNoFilm } = mediaLinks(['films.example']);
    expect(isNoFilm('video', text)).toBe(isSaid);
    expect([isNoFilm('audio', text), mediaLinks([]).isNoFilm('video', text)]).toEqual([false, false]);
  });

  test('play in video rooms alone, and nowhere without MEDIA_HOSTS', () => {
    const link = 'https://films.example/a.mp4';
    expect([mayPlay('video', idOf(link)), mayPlay('audio', idOf(link)), read('audio', link)]).toEqual([
      true,
      false,
      null,
    ]);
    const none = mediaLinks([]);
    expect([none.mayPlay('video', idOf(link)), none.read('video', link)]).toEqual([false, null]);
  });

  test('of a text at most ten are read, each once, among other words', () => {
    const links = Array.from({ length: 12 }, (_, n) => `https://films.example/${String(n)}.mp4`);
    expect(read('video', `watch ${[...links, ...links].join(' and ')}`)?.items).toHaveLength(10);
    expect(read('video', 'films.example')).toBeNull();
  });
});

/** Links to films in rooms of a server whose operator allows a host, and of one that does not. */
describe('links in rooms', () => {
  let allowing: SocketWorld;
  let plain: SocketWorld;
  beforeAll(async () => {
    allowing = await openSocketWorld({ env: { MEDIA_HOSTS: 'films.example, media.example' } });
    plain = await openSocketWorld();
  });
  afterAll(async () => {
    await allowing.close();
    await plain.close();
  });

  const film = 'https://films.example/night-train.mp4';
  const trackOf = (link: string): NamedTrack => ({
    videoId: `link:${link}` as VideoId,
    title: 'Night train',
    durationSeconds: null,
  });

  async function hostIn(world: SocketWorld, kind: 'audio' | 'video', ...guests: Tab[]) {
    const host = await world.arrive('Mara');
    const { room } = await world.roomWith(host, kind, ...guests);
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    return { host, room };
  }
  const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'ok' : result.error?.code);

  /** The answers to every request that brings a track into a room. */
  async function bringing(host: Tab, guest: Tab, room: Room, track: NamedTrack) {
    const write = async (intent: object) =>
      codeOf(await host.send('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
    return [
      await write({ type: 'choose', track }),
      await write({ type: 'enqueue', track }),
      await write({ type: 'enqueueAll', items: [track] }),
      codeOf(await guest.send('rooms/propose', { ...room, clientId: newClientId(), track })),
    ];
  }
  const refused = Array.from({ length: 4 }, () => 'input/invalid');

  test('a link to an allowed host is found by its text, plays for all in a room, and its length comes from the host', async () => {
    const guest = await allowing.arrive('Ivo');
    const { host, room } = await hostIn(allowing, 'video', guest);
    const { items } = valueOf(await guest.ask('catalogue/search', { ...room, query: `look: ${film}` }));
    expect(items).toEqual([
      { videoId: `link:${film}`, title: 'night-train', thumbnail: null, durationSeconds: null, source: 'link' },
    ]);
    expect(await bringing(host, guest, room, trackOf(film))).toEqual(['ok', 'ok', 'ok', 'ok']);
    const { playback } = valueOf(await guest.ask('rooms/enter', room));
    expect(playback).toMatchObject({ currentVideoId: `link:${film}`, durationSeconds: null });
    const measured = { type: 'measured', revision: playback.revision, durationSeconds: 321 } as const;
    valueOf(
      await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent: measured }),
    );
    expect(valueOf(await guest.ask('rooms/enter', room)).playback.durationSeconds).toBe(321);
  });

  test.each([
    'https://evilfilms.example/a.mp4',
    'https://films.example.evil.test/a.mp4',
    'https://a.films.example/a.mp4',
    'https://films.example./a.mp4',
    'https://FILMS.example/a.mp4',
    'https://films.example:8443/a.mp4',
    'https://ann:secret@films.example/a.mp4',
    'https://films.example@evil.test/a.mp4',
    'http://films.example/a.mp4',
    'https://127.0.0.1/a.mp4',
    'https://2130706433/a.mp4',
    'https://[::1]/a.mp4',
    'https://localhost/a.mp4',
    'javascript:alert(1)//.mp4',
    'data:video/mp4,x.mp4',
  ])('no request brings %s into a room', async (link) => {
    const guest = await allowing.arrive('Ivo');
    const { host, room } = await hostIn(allowing, 'video', guest);
    expect(await bringing(host, guest, room, trackOf(link))).toEqual(refused);
  });

  test('a link to another host is answered with the reason, and nothing leaves the server', async () => {
    const { host, room } = await hostIn(allowing, 'video');
    const query = 'https://other.example/a.mp4';
    expect(valueOf(await host.ask('catalogue/search', { ...room, query }))).toEqual({
      status: 'host-not-allowed',
      items: [],
    });
  });

  test('audio rooms, and servers whose operator allows no host, know no links', async () => {
    for (const [world, kind] of [
      [allowing, 'audio'],
      [plain, 'video'],
    ] as const) {
      const guest = await world.arrive('Ivo');
      const { host, room } = await hostIn(world, kind, guest);
      expect(await bringing(host, guest, room, trackOf(film))).toEqual(refused);
      const { status } = valueOf(await host.ask('catalogue/search', { ...room, query: film }));
      expect(status).not.toBe('host-not-allowed');
    }
  });
});

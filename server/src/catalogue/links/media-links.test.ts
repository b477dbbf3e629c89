import type { VideoId } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { mediaLinks } from './media-links.ts';

const { read, mayPlay } = mediaLinks(['films.example', 'xn--mnchen-3ya.example']);
const idOf = (link: string) => `link:${link}` as VideoId;

describe('links to films', () => {
  test.each([
    ['https://films.example/a/night%20train.mp4', 'link:https://films.example/a/night%20train.mp4', 'night train'],
    ['HTTPS://Films.EXAMPLE./live.M3U8?key=1#t=3', 'link:https://films.example/live.M3U8?key=1', 'live'],
    ['https://films.example:443/x.webm', 'link:https://films.example/x.webm', 'x'],
    ['(https://films.example/../y.mp4),', 'link:https://films.example/y.mp4', 'y'],
    ['https://münchen.example/z.mp4', 'link:https://xn--mnchen-3ya.example/z.mp4', 'z'],
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

/** The calls of the Data API over real HTTP, and every fault that the service may show. */
import type { ServerResponse } from 'node:http';
import type { VideoId } from '@tunemate/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type FakeDataApi,
  foundVideos,
  sendJson,
  startFakeDataApi,
  videoIdNumber,
} from '@tunemate/testkit/fakes/fake-data-api';
import { type YouTubeSource, youtubeSource, decodeEntities } from './youtube-source.ts';

describe('YouTube source', () => {
  const key = 'a-secret-key';
  const videoId = videoIdNumber(1) as VideoId;

  let api: FakeDataApi;
  let source: YouTubeSource;

  /** Patient, so that a busy machine is no failure. */
  function open(timeoutMs = 20_000, retryAfterMs = 60_000): YouTubeSource {
    return youtubeSource({ baseUrl: api.url, key, timeoutMs, retryAfterMs });
  }

  beforeEach(async () => {
    api = await startFakeDataApi();
    source = open();
  });
  afterEach(async () => {
    source.close();
    await api.close();
  });

  const answerVideo = (snippet: object) => (_call: unknown, response: ServerResponse) =>
    sendJson(response, { items: [{ id: videoId, snippet }] });

  describe('the calls', () => {
    test('a video room searches with key, q, part, maxResults and type', async () => {
      const found = await source.searchVideos('night bus');
      expect(api.calls).toEqual([
        { call: 'search', parameters: { key, q: 'night bus', part: 'snippet', maxResults: '5', type: 'video' } },
      ]);
      expect(found).toHaveLength(5);
      expect(found[0]).toEqual({
        videoId,
        title: 'Song 1',
        thumbnail: `https://i.ytimg.com/vi/${videoId}/default.jpg`,
      });
    });

    test('a playlist is asked for 50 items, and what has no pictures is left out', async () => {
      const entry = (title: string, more: object) => ({ snippet: { title, resourceId: { videoId }, ...more } });
      const thumbnails = { default: { url: 'https://i.ytimg.com/vi/x/default.jpg' } };
      api.answer = (_call, response) =>
        sendJson(response, { items: [entry('A Song', { thumbnails }), entry('Deleted video', {})] });
      expect((await source.playlist('PLx')).map(({ title }) => title)).toEqual(['A Song']);
      expect(api.calls).toEqual([
        { call: 'playlistItems', parameters: { key, playlistId: 'PLx', part: 'snippet', maxResults: '50' } },
      ]);
      api.answer = (_call, response) => sendJson(response, {}, 404);
      expect(await source.playlist('PLx')).toEqual([]);
    });

    test("an audio room adds the word 'audio' and category 10", async () => {
      await source.searchAudio('night bus');
      expect(api.calls[0]?.parameters).toEqual({
        key,
        q: 'night bus audio',
        part: 'snippet',
        maxResults: '5',
        type: 'video',
        videoCategoryId: '10',
      });
    });

    test('a video by its id has title and category, by default 10', async () => {
      api.answer = answerVideo({ title: 'A Song', categoryId: '24' });
      expect(await source.videosById([videoId])).toMatchObject([{ title: 'A Song', categoryId: '24' }]);
      expect(api.calls).toEqual([{ call: 'videos', parameters: { key, id: videoId, part: 'snippet' } }]);
      api.answer = answerVideo({ title: 'A Song' });
      expect(await source.videosById([videoId])).toMatchObject([{ categoryId: '10' }]);
      api.answer = (_call, response) => sendJson(response, { items: [] });
      expect(await source.videosById([videoId])).toEqual([]);
    });

    test('many videos are asked for in one call', async () => {
      const ids = Array.from({ length: 10 }, (_, n) => videoIdNumber(n) as VideoId);
      api.answer = (_call, response) =>
        sendJson(response, { items: ids.map((id) => ({ id, snippet: { title: id } })) });
      expect((await source.videosById(ids)).map((found) => found.videoId)).toEqual(ids);
      expect(api.calls.map(({ parameters }) => parameters['id'])).toEqual([ids.join(',')]);
    });

    test('related tracks share the category, in English, by the first three words', async () => {
      const thumbnail = '';
      await source.relatedTo({ videoId, title: 'Night bus  north: one long shot', thumbnail, categoryId: '24' });
      expect(api.calls[0]?.parameters).toEqual({
        key,
        q: 'Night bus north:',
        part: 'snippet',
        maxResults: '5',
        type: 'video',
        videoCategoryId: '24',
        relevanceLanguage: 'en',
      });
    });
  });

  describe('what is believed', () => {
    test('titles lose their escapes, control characters and length beyond 200', async () => {
      const title = `Tom &amp; &quot;J&#39;s&quot; &lt;b&gt; &#x1F600; &amp;lt;\u0000\u202e ${'x'.repeat(300)}`;
      api.answer = answerVideo({ title });
      const [found] = await source.videosById([videoId]);
      expect(found?.title.startsWith(`Tom & "J's" <b> 😀 &lt; x`)).toBe(true);
      expect(Array.from(found?.title ?? '')).toHaveLength(200);
      api.answer = answerVideo({ title: '\u200b ' });
      expect((await source.videosById([videoId]))[0]?.title).toBe(videoId);
    });

    test("thumbnails come from the service's image host alone", async () => {
      api.answer = answerVideo({ title: 'A', thumbnails: { default: { url: 'https://evil.example/x.jpg' } } });
      const own = `https://i.ytimg.com/vi/${videoId}/default.jpg`;
      expect((await source.videosById([videoId]))[0]?.thumbnail).toBe(own);
      api.answer = answerVideo({ title: 'A' });
      expect((await source.videosById([videoId]))[0]?.thumbnail).toBe(own);
    });

    test('at most five items, and none that is no video', async () => {
      const { items } = foundVideos(9) as { items: object[] };
      api.answer = (_call, response) =>
        sendJson(response, { items: [{ id: { channelId: 'x' }, snippet: { title: 'A channel' } }, 7, null, ...items] });
      expect((await source.searchVideos('x')).map(({ title }) => title)).toEqual(
        [1, 2, 3, 4, 5].map((number) => `Song ${String(number)}`),
      );
      api.answer = (_call, response) => sendJson(response, { items: [] });
      expect(await source.searchVideos('x')).toEqual([]);
    });
  });

  const quotaBody = { error: { code: 403, errors: [{ reason: 'quotaExceeded' }] } };
  type Fault = (response: ServerResponse) => void;
  const faults: [string, string, Fault][] = [
    ['a page of HTML', 'badAnswer', (response) => void response.writeHead(200).end('<!doctype html><p>Hello')],
    ['an empty body', 'badAnswer', (response) => void response.writeHead(200).end()],
    ['JSON of another shape', 'badAnswer', (response) => sendJson(response, { videos: [] })],
    ['items that are no videos', 'badAnswer', (response) => sendJson(response, { items: [{ id: 7 }, {}] })],
    [
      '5 MB',
      'badAnswer',
      (response) => void response.writeHead(200).end(`{"items":[],"x":"${'x'.repeat(5_000_000)}"}`),
    ],
    ['403 for quota', 'quota', (response) => sendJson(response, quotaBody, 403)],
    ['403 for a wrong key', 'unavailable', (response) => sendJson(response, { error: { code: 403 } }, 403)],
    ['500', 'unavailable', (response) => sendJson(response, {}, 500)],
    ['a redirect', 'unavailable', (response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['a torn connection', 'unavailable', (response) => void response.destroy()],
  ];
  const silences: [string, Fault][] = [
    ['no answer', () => undefined],
    ['half an answer', (response) => void response.writeHead(200).write('{"items":[')],
  ];

  describe('faults', () => {
    test.each(faults)('%s is a failure of kind %s that does not name the key', async (_name, code, fault) => {
      api.answer = (_call, response) => fault(response);
      const failure: unknown = await source.searchVideos('x').catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'VideoSourceFailure', code });
      expect(JSON.stringify(failure) + String(failure) + String((failure as Error).stack)).not.toContain(key);
      expect((failure as Error).cause).toBeUndefined();
    });

    test.each(silences)('%s, then silence, ends in a timeout', async (_name, fault) => {
      source.close();
      source = open(100);
      api.answer = (_call, response) => fault(response);
      await expect(source.searchVideos('x')).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('a refused connection is a failure too', async () => {
      await api.close();
      await expect(source.searchVideos('x')).rejects.toMatchObject({ code: 'unavailable' });
      api = await startFakeDataApi();
    });

    test('after five failures no calls are made, until one call may try again', async () => {
      source.close();
      source = open(20_000, 30);
      api.answer = (_call, response) => sendJson(response, {}, 500);
      for (let n = 0; n < 5; n += 1) await expect(source.searchVideos('x')).rejects.toMatchObject({ status: 500 });
      await expect(source.searchVideos('x')).rejects.toMatchObject({ code: 'unavailable', status: null });
      expect(api.calls).toHaveLength(5);
      api.answer = (_call, response) => sendJson(response, foundVideos(1));
      await expect.poll(() => source.searchVideos('x').catch(() => [])).toHaveLength(1);
    });

    test('a used-up quota does not count as a failure of the service', async () => {
      api.answer = (_call, response) => sendJson(response, quotaBody, 403);
      for (let n = 0; n < 8; n += 1) await expect(source.searchVideos('x')).rejects.toMatchObject({ code: 'quota' });
      expect(api.calls).toHaveLength(8);
    });
  });
});

describe('HTML entities', () => {
  test.each([
    ['Rock &amp; Roll', 'Rock & Roll'],
    ['It&#39;s', "It's"],
    ['&#x1F3B5; song', '🎵 song'],
    ['&amp;lt;', '&lt;'],
  ])('a title that arrives as %s is shown as %s', (escaped, shown) => {
    expect(decodeEntities(escaped)).toBe(shown);
  });

  test.each(['&hai;', '&#0;', '&#xD800;', '&#1114112;', 'Q&A;', 'AT&T'])(
    '%s is no entity and stays as it is',
    (text) => {
      expect(decodeEntities(text)).toBe(text);
    },
  );
});

/** Search and suggestions, over a real library and a fake video service on loopback with every failure. */
import { join } from 'node:path';
import { thumbnailOf } from '@tunemate/domain';
import { catalogueAnswer, limits, roomKinds, type RoomKind, type Uid, type VideoId } from '@tunemate/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '@tunemate/testkit/fake-clock';
import {
  type FakeDataApi,
  foundVideos,
  sendJson,
  startFakeDataApi,
  videoIdNumber,
} from '@tunemate/testkit/fakes/fake-data-api';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { type Database, migrate, openDatabase } from '../storage/database.ts';
import { createLimits } from '../access/limits.ts';
import { catalogueService } from './catalogue-service.ts';
import { aRoom } from '@tunemate/testkit/worlds/a-room';
import { noTaste } from './sources/source.ts';
import { librarySuggestions } from './suggested/library-suggestions.ts';
import { playedTitle } from './library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from './library/media-library.ts';
import { defaultAllowances, type SearchAllowances, videoCalls } from './sources/youtube/video-calls.ts';
import { type SearchMemory, storedMemory } from './sources/youtube/search-memory.ts';
import { type Payer, searchShares } from './sources/youtube/search-shares.ts';
import { type YouTubeSource, youtubeSource } from './sources/youtube/youtube-source.ts';

const host = 'hosthosthosthosthosth1' as Uid;
const otherHost = 'hosthosthosthosthosth2' as Uid;
const hourMs = 3_600_000;
const key = 'a-secret-key';

let api: FakeDataApi;
let library: MediaLibrary;
let clock: FakeClock;
let dir: TempDir;
let database: Database;
let memory: SearchMemory;
let sources: YouTubeSource[];
let log: { event: string; fields: object }[] = [];

beforeEach(async () => {
  api = await startFakeDataApi();
  clock = createFakeClock();
  dir = await makeTempDir('catalogue');
  database = openDatabase(`sqlite:${join(dir.path, 'tunemate.sqlite')}`);
  await migrate(database);
  memory = storedMemory(database.db);
  sources = [];
  library = await openMediaLibrary({ folder: join(import.meta.dirname, '../../../library'), log: logger() });
  // What reading the library said is none of these tests'.
  log = [];
});
afterEach(async () => {
  sources.forEach((source) => source.close());
  await api.close();
  await database.close();
  await dir.remove();
});

function logger() {
  const add = (fields: object, event: string): void => void log.push({ event, fields });
  return { info: add, warn: add };
}

function open(options: { hasKey?: boolean; timeoutMs?: number; allowances?: Partial<SearchAllowances> } = {}) {
  const { hasKey = true, timeoutMs = 20_000 } = options;
  const source = hasKey ? youtubeSource({ baseUrl: api.url, key, timeoutMs }) : null;
  if (source !== null) sources.push(source);
  const allowances = { ...defaultAllowances, ...options.allowances };
  const soundOf = () => ({ lufs: null, tempo: null });
  const suggestions = librarySuggestions({ ...library, soundOf, taste: noTaste });
  const shares = searchShares({ limits: createLimits({ clock, scale: 1 }), db: database.db, clock });
  const calls = source && videoCalls({ source, memory, shares, clock, log: logger(), allowances });
  const service = catalogueService({ library, suggestions, calls, log: logger() });
  type Args<Name extends 'search' | 'suggest'> = Parameters<(typeof service)[Name]>;
  return {
    ...service,
    search: (kind: RoomKind, query: string, payer: Uid, asker: Payer['asker'] = null) =>
      service.search(kind, query, { host: payer, asker }),
    suggest: (kind: RoomKind, playing: Args<'suggest'>[1], payer: Uid, factsOf: Args<'suggest'>[3]) =>
      service.suggest(kind, playing, { host: payer, asker: null }, factsOf),
  };
}

const newRoom = () => Promise.resolve(aRoom());

const failing = (status: number, body: object = {}) => {
  api.answer = (_call, response) => sendJson(response, body, status);
};
const titles = (answer: { items: { title: string }[] }): string[] => answer.items.map(({ title }) => title);

describe.each(roomKinds)('searching in a room of kind %s', (kind: RoomKind) => {
  test('without a key the library answers and no call is made', async () => {
    const answer = await open({ hasKey: false }).search(kind, 'sunday', host);
    expect(catalogueAnswer.parse(answer)).toMatchObject({
      status: 'library-only',
      items: [{ title: 'Sunday Kitchen – Lena Vogt Septet', source: 'library', durationSeconds: 107.37 }],
    });
    expect(answer.items[0]?.thumbnail).toBe(`/media/${String(answer.items[0]?.videoId)}/cover`);
    expect(api.calls).toEqual([]);
  });

  test("with a key the library's items come first, then the service's", async () => {
    const answer = await open().search(kind, 'sunday', host);
    expect(answer.status).toBe('ok');
    expect(answer.items.map(({ source }) => source)).toEqual(['library', ...Array<string>(5).fill('youtube')]);
    expect(catalogueAnswer.safeParse(answer).success).toBe(true);
  });

  test('a pasted link needs no key; with one it gets its title', async () => {
    const id = videoIdNumber(7);
    const link = `https://youtu.be/${id}`;
    const bare = await open({ hasKey: false }).search(kind, link, host);
    expect(bare).toEqual({
      status: 'library-only',
      items: [
        { videoId: id, title: id, thumbnail: thumbnailOf(id as VideoId), durationSeconds: null, source: 'youtube' },
      ],
    });
    api.answer = (_call, response) => sendJson(response, { items: [{ id, snippet: { title: 'Its Title' } }] });
    const named = await open().search(kind, link, host);
    expect(titles(named)).toEqual(['Its Title']);
    expect(api.calls.map(({ call }) => call)).toEqual(['videos']);
  });

  test('an answer says where a link begins', async () => {
    const link = `https://youtu.be/${videoIdNumber(7)}?t=1m`;
    const { items } = await open({ hasKey: false }).search(kind, link, host);
    expect(items).toMatchObject([{ videoId: videoIdNumber(7), startSeconds: 60 }]);
  });

  test('a link to a video that the service does not know is searched for as words', async () => {
    api.answer = ({ call }, response) => sendJson(response, call === 'videos' ? { items: [] } : foundVideos(1));
    const answer = await open().search(kind, `https://youtu.be/${videoIdNumber(7)}`, host);
    expect(titles(answer)).toEqual(['Song 1']);
  });

  test('a link that names no video is not searched for', async () => {
    const answer = await open().search(kind, 'https://www.youtube.com/clip/UgkxU2HSeGL_NvmDJ', host);
    expect([answer, api.calls]).toEqual([{ status: 'ok', items: [] }, []]);
  });

  test('a link still plays while the service fails', async () => {
    failing(500);
    const answer = await open().search(kind, `https://youtu.be/${videoIdNumber(7)}`, host);
    expect(answer.items.map(({ videoId }) => videoId)).toEqual([videoIdNumber(7)]);
    expect(log.map(({ event }) => event)).toEqual(['catalogue.look-up-failed']);
  });

  test('several links are answered in their order, each video once, without a search', async () => {
    const [first, second] = [videoIdNumber(2), videoIdNumber(1)];
    const pasted = `https://youtu.be/${first}\nhttps://youtu.be/${second} youtu.be/${first}`;
    const bare = await open({ hasKey: false }).search(kind, pasted, host);
    expect(bare.items.map(({ videoId }) => videoId)).toEqual([first, second]);
    expect(api.calls).toEqual([]);
  });

  const inPlaylist = `https://www.youtube.com/watch?v=${videoIdNumber(9)}&list=PLabcdef`;
  const picture = { default: { url: 'https://i.ytimg.com/vi/x/default.jpg' } };
  /** An entry of a playlist; one without a picture is private or gone. */
  const entry = (number: number, more: object = { thumbnails: picture }) => ({
    snippet: { title: `Song ${String(number)}`, resourceId: { videoId: videoIdNumber(number) }, ...more },
  });

  test('a playlist is shown in its order; without a key its video, and the reason', async () => {
    api.answer = (_call, response) => sendJson(response, { items: [entry(3), entry(1), entry(2, {})] });
    const listed = await open().search(kind, inPlaylist, host);
    expect(listed.status).toBe('ok');
    expect(titles(listed)).toEqual(['Song 3', 'Song 1']);
    await open().search(kind, inPlaylist, host);
    expect(api.calls.map(({ call, parameters }) => [call, parameters['playlistId'], parameters['maxResults']])).toEqual(
      [['playlistItems', 'PLabcdef', '50']],
    );
    const bare = await open({ hasKey: false }).search(kind, `https://youtu.be/${videoIdNumber(8)} ${inPlaylist}`, host);
    expect(bare.status).toBe('playlist-needs-key');
    expect(bare.items.map(({ videoId }) => videoId)).toEqual([videoIdNumber(8), videoIdNumber(9)]);
  });

  test('several playlists together bring as many tracks as one brings at most', async () => {
    api.answer = ({ parameters }, response) => {
      const inEach = limits.playlistItems - 10;
      const from = parameters['playlistId'] === 'PLfirst' ? 0 : inEach;
      sendJson(response, { items: Array.from({ length: inEach }, (_, n) => entry(from + n)) });
    };
    const list = (id: string) => `https://www.youtube.com/playlist?list=${id}`;
    const { items } = await open().search(kind, `${list('PLfirst')} ${list('PLsecond')}`, host);
    expect(items.map(({ title }) => title)).toEqual(
      Array.from({ length: limits.playlistItems }, (_, n) => `Song ${String(n)}`),
    );
  });

  test.each([404, 500])('a playlist that is answered with %d leaves the video of its link', async (status) => {
    api.answer = ({ call }, response) =>
      sendJson(
        response,
        { items: [{ id: videoIdNumber(9), snippet: { title: 'Its Title' } }] },
        call === 'playlistItems' ? status : 200,
      );
    expect(titles(await open().search(kind, inPlaylist, host))).toEqual(['Its Title']);
    expect(log.map(({ event }) => event)).toEqual(status === 500 ? ['catalogue.look-up-failed'] : []);
    api.calls.length = 0;
    await open().search(kind, 'https://www.youtube.com/playlist?list=PLabcdef', host);
    // Without a video there is nothing to look up, and the link is searched for as words.
    expect(api.calls.map(({ call }) => call).filter((call) => call !== 'playlistItems')).toEqual(['search']);
  });

  test('the same question within 24 h is asked once, case and spaces aside', async () => {
    const catalogue = open();
    await catalogue.search(kind, 'night  bus', host);
    clock.advance(24 * hourMs - 1);
    await catalogue.search(kind, ' Night bus ', otherHost);
    expect(api.calls).toHaveLength(1);
    clock.advance(1);
    await catalogue.search(kind, 'night bus', host);
    expect(api.calls).toHaveLength(2);
  });

  test('the same question asked by many at once makes and counts one call', async () => {
    const catalogue = open({ allowances: { hostPerHour: 1 } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => catalogue.search(kind, 'night bus', host)));
    expect(api.calls).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['ok']));
  });

  test('a host who asks what another host asks who has no search left gets an answer', async () => {
    const catalogue = open({ allowances: { hostPerHour: 1 } });
    await catalogue.search(kind, 'sunday', host);
    const both = [host, otherHost].map((payer) => catalogue.search(kind, 'night bus', payer));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual(['hour-used-up', 'ok']);
  });

  test('a failure is not remembered', async () => {
    const catalogue = open();
    failing(500);
    await catalogue.search(kind, 'night bus', host);
    api.answer = (_call, response) => sendJson(response, foundVideos(1));
    expect(titles(await catalogue.search(kind, 'night bus', host))).toEqual(['Song 1']);
  });

  test('a host has 30 searches an hour; then library and remembered answers', async () => {
    const catalogue = open();
    for (let n = 0; n < 30; n += 1) await catalogue.search(kind, `query ${String(n)}`, host);
    const over = await catalogue.search(kind, 'sunday', host);
    expect(over.status).toBe('hour-used-up');
    expect(titles(over)).toEqual(['Sunday Kitchen – Lena Vogt Septet']);
    expect(log).toContainEqual({ event: 'catalogue.budget-used-up', fields: { kind, usedUp: 'hour' } });
    const nothingOwn = await catalogue.search(kind, 'not in the library', host);
    expect(titles(nothingOwn)).toEqual(kind === 'audio' ? library.samples().map(playedTitle) : []);
    expect((await catalogue.search(kind, 'query 3', host)).status).toBe('ok');
    expect((await catalogue.search(kind, 'sunday', otherHost)).status).toBe('ok');
    expect(api.calls).toHaveLength(31);
    clock.advance(hourMs);
    expect((await catalogue.search(kind, 'another', host)).status).toBe('ok');
  });

  test('the server stops at 90 searches a day and starts again the next', async () => {
    const catalogue = open({ allowances: { hostPerHour: 1000 } });
    for (let n = 0; n < 90; n += 1) await catalogue.search(kind, `query ${String(n)}`, host);
    expect((await catalogue.search(kind, 'one more', otherHost)).status).toBe('day-used-up');
    expect(api.calls).toHaveLength(90);
    clock.advance(24 * hourMs);
    expect((await catalogue.search(kind, 'one more', otherHost)).status).toBe('ok');
  });

  test('when the service answers that its quota is used up, no calls are made for the day', async () => {
    const catalogue = open();
    failing(403, { error: { errors: [{ reason: 'quotaExceeded' }] } });
    // The search that learns of it says so too.
    expect((await catalogue.search(kind, 'first', host)).status).toBe('day-used-up');
    expect((await catalogue.search(kind, 'sunday', host)).status).toBe('day-used-up');
    clock.advance(hourMs);
    expect((await catalogue.search(kind, 'monday', host)).status).toBe('day-used-up');
    expect(api.calls).toHaveLength(1);
  });

  test('what is left of the day may be too little for a search and enough for links, until these are refused too', async () => {
    const catalogue = open();
    failing(403, { error: { errors: [{ reason: 'quotaExceeded' }] } });
    await catalogue.search(kind, 'first', host);
    answerNamed();
    const link = (number: number) => `https://youtu.be/${videoIdNumber(number)}`;
    const named = await catalogue.search(kind, link(1), host);
    expect(named.items.map(({ title }) => title)).toEqual([`The ${videoIdNumber(1)}`]);
    failing(403, { error: { errors: [{ reason: 'quotaExceeded' }] } });
    for (const number of [2, 3]) await catalogue.search(kind, link(number), host);
    expect(api.calls.map(({ call }) => call)).toEqual(['search', 'videos', 'videos']);
  });

  test.each([
    ['quotaExceeded', hourMs],
    ['rateLimitExceeded', 59_999],
  ])('after a link met %s links are shown by their ids, and nothing is asked about them', async (reason, forMs) => {
    const catalogue = open();
    failing(403, { error: { errors: [{ reason }] } });
    await catalogue.search(kind, `https://youtu.be/${videoIdNumber(5)}`, host);
    clock.advance(forMs);
    const playlist = `https://www.youtube.com/watch?v=${videoIdNumber(9)}&list=PLabcdef`;
    const { items } = await catalogue.search(kind, `https://youtu.be/${videoIdNumber(7)} ${playlist}`, otherHost);
    expect(items.map(({ title }) => title)).toEqual([videoIdNumber(7), videoIdNumber(9)]);
    expect(api.calls).toHaveLength(1);
  });

  test.each([403, 429])('when calls come too fast (%i), no calls are made for a minute', async (status) => {
    const catalogue = open();
    failing(status, { error: { errors: [{ reason: 'rateLimitExceeded' }] } });
    expect((await catalogue.search(kind, 'first', host)).status).toBe('minute-used-up');
    expect((await catalogue.search(kind, 'second', host)).status).toBe('minute-used-up');
    expect(api.calls).toHaveLength(1);
    api.answer = (_call, response) => sendJson(response, foundVideos(1));
    clock.advance(60_000);
    expect((await catalogue.search(kind, 'third', host)).status).toBe('ok');
  });

  test('only a search that calls the service counts against the host’s hour', async () => {
    const catalogue = open({ allowances: { hostPerHour: 2, serverPerDay: 1 } });
    expect((await catalogue.search(kind, 'one', host)).status).toBe('ok');
    for (let n = 0; n < 5; n += 1) {
      expect((await catalogue.search(kind, 'one', host)).status).toBe('ok');
      expect((await catalogue.search(kind, `https://youtu.be/${videoIdNumber(n)}`, host)).items).toHaveLength(1);
      expect((await catalogue.search(kind, `not today ${String(n)}`, host)).status).toBe('day-used-up');
    }
  });

  const answerNamed = () => {
    api.answer = ({ call, parameters }, response) =>
      sendJson(response, {
        items:
          call === 'videos'
            ? (parameters['id'] ?? '').split(',').map((id) => ({ id, snippet: { title: `The ${id}` } }))
            : [],
      });
  };
  const link = (number: number) => `https://youtu.be/${videoIdNumber(number)}`;

  test('what links name is asked for 60 times an hour for a host, apart from searches', async () => {
    answerNamed();
    const catalogue = open();
    for (let n = 0; n < 60; n += 2) {
      // A playlist that is not there, and the video of its link.
      await catalogue.search(kind, `https://www.youtube.com/watch?v=${videoIdNumber(n)}&list=PL${String(n)}`, host);
    }
    expect(api.calls).toHaveLength(60);
    expect(titles(await catalogue.search(kind, link(61), host))).toEqual([videoIdNumber(61)]);
    expect(titles(await catalogue.search(kind, link(0), host))).toEqual([`The ${videoIdNumber(0)}`]);
    expect(titles(await catalogue.search(kind, `${link(61)} ${link(0)}`, host))).toEqual([
      videoIdNumber(61),
      `The ${videoIdNumber(0)}`,
    ]);
    expect(api.calls).toHaveLength(60);
    expect(titles(await catalogue.search(kind, link(61), otherHost))).toEqual([`The ${videoIdNumber(61)}`]);
    expect((await catalogue.search(kind, 'night bus', host)).status).toBe('ok');
    clock.advance(hourMs);
    expect(titles(await catalogue.search(kind, link(62), host))).toEqual([`The ${videoIdNumber(62)}`]);
  });

  test('for all hosts together it is asked for a number of times a day', async () => {
    answerNamed();
    const catalogue = open({ allowances: { lookUpsPerDay: 2 } });
    for (let n = 0; n < 4; n += 1) await catalogue.search(kind, link(n), n % 2 === 0 ? host : otherHost);
    expect(api.calls).toHaveLength(2);
    clock.advance(24 * hourMs);
    expect(titles(await catalogue.search(kind, link(3), host))).toEqual([`The ${videoIdNumber(3)}`]);
  });

  test('the videos of several links are asked for in one call, which is paid for once', async () => {
    answerNamed();
    const catalogue = open({ allowances: { lookUpsPerHour: 2 } });
    await catalogue.search(kind, link(1), host);
    const pasted = Array.from({ length: 10 }, (_, n) => link(n)).join(' ');
    const [found] = await Promise.all([catalogue.search(kind, pasted, host), catalogue.search(kind, pasted, host)]);
    expect(titles(found)).toEqual(Array.from({ length: 10 }, (_, n) => `The ${videoIdNumber(n)}`));
    const asked = [0, 2, 3, 4, 5, 6, 7, 8, 9].map(videoIdNumber).join(',');
    expect(api.calls.map(({ parameters }) => parameters['id'])).toEqual([videoIdNumber(1), asked]);
    expect(titles(await catalogue.search(kind, pasted, host))).toEqual(titles(found));
  });

  test('no fault of the service reaches the room, and the log has no key', async () => {
    const catalogue = open();
    const bodies = ['<html>', '{}', `"${'x'.repeat(5_000_000)}"`];
    for (const body of bodies) {
      api.answer = (_call, response) => void response.writeHead(200).end(body);
      expect((await catalogue.search(kind, `query ${body.slice(0, 3)}`, host)).status).not.toBe('ok');
    }
    api.answer = () => undefined;
    expect((await open({ timeoutMs: 100 }).search(kind, 'silence', host)).status).not.toBe('ok');
    const failures = log.filter(({ event }) => event === 'catalogue.search-failed').map(({ fields }) => fields);
    expect(failures).toMatchObject([...bodies.map(() => ({ code: 'badAnswer' })), { code: 'unavailable' }]);
    expect(JSON.stringify(log)).not.toContain(key);
  });

  test('a blank query makes no call', async () => {
    expect(await open().search(kind, '  ', host)).toEqual({ status: 'ok', items: [] });
    expect(api.calls).toEqual([]);
  });
});

describe('the two kinds of room', () => {
  test('video rooms show films first and tracks too, audio rooms tracks alone', async () => {
    const catalogue = open({ hasKey: false });
    const sources = async (kind: RoomKind) =>
      (await catalogue.search(kind, 'a', host)).items.map(({ videoId }) => library.byId(videoId)?.kind);
    expect(await sources('video')).toEqual(['video', 'video', 'video', 'audio', 'audio']);
    expect(await sources('audio')).toEqual(['audio', 'audio', 'audio', 'audio']);
  });

  test('a failed audio search shows two sample tracks that are in the library', async () => {
    failing(500);
    const answer = await open().search('audio', 'sunday', host);
    expect(answer.status).toBe('samples');
    expect(answer.items.map(({ videoId }) => library.byId(videoId)?.kind)).toEqual(['audio', 'audio']);
  });

  test("a failed video search shows the library's matches and says nothing", async () => {
    failing(500);
    const answer = await open().search('video', 'reels', host);
    expect(answer).toMatchObject({ status: 'library-only', items: [{ title: 'Two Reels – The Curtain Call' }] });
  });
});

describe('suggestions', () => {
  const playing = videoIdNumber(1) as VideoId;
  const answerBoth = () => {
    api.answer = ({ call, parameters: { id } }, response) =>
      call === 'videos'
        ? sendJson(response, {
            items: [{ id, snippet: { title: id === playing ? 'One two three four' : 'Five six', categoryId: '24' } }],
          })
        : sendJson(response, foundVideos(5));
  };

  test('an audio room asks for related tracks by title and category, without the one playing', async () => {
    answerBoth();
    const answer = await open().suggest('audio', playing, host, newRoom);
    expect(api.calls.map(({ call }) => call)).toEqual(['videos', 'search']);
    expect(api.calls[1]?.parameters).toMatchObject({
      q: 'One two three',
      videoCategoryId: '24',
      relevanceLanguage: 'en',
    });
    expect(titles(answer)).toEqual(['Song 2', 'Song 3', 'Song 4', 'Song 5']);
  });

  test('an own track, nothing yet, a video room or no key: the library suggests', async () => {
    const own = library.list()[0]?.id ?? null;
    const answers = [
      await open().suggest('audio', own, host, newRoom),
      await open().suggest('audio', null, host, newRoom),
      await open().suggest('video', playing, host, newRoom),
      await open({ hasKey: false }).suggest('audio', playing, host, newRoom),
    ];
    expect(answers.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'library-only']);
    for (const { items } of answers) expect(items.every(({ source }) => source === 'library')).toBe(true);
    expect(answers[0]?.items.map(({ videoId }) => videoId)).not.toContain(own);
    expect(api.calls).toEqual([]);
  });

  test('a failure is only logged, and the library suggests', async () => {
    failing(500);
    const answer = await open().suggest('audio', playing, host, newRoom);
    expect(answer.status).toBe('library-only');
    expect(answer.items.length).toBeGreaterThan(0);
    expect(log.map(({ event }) => event)).toContain('catalogue.suggest-failed');
  });

  test('suggestions may use the last ten calls of the day, and no more', async () => {
    answerBoth();
    const catalogue = open({ allowances: { hostPerHour: 1000, serverPerDay: 1, serverPerDayInAll: 2 } });
    expect((await catalogue.search('audio', 'one', host)).status).toBe('ok');
    expect((await catalogue.search('audio', 'two', host)).status).toBe('day-used-up');
    expect((await catalogue.suggest('audio', playing, host, newRoom)).status).toBe('ok');
    const next = videoIdNumber(2) as VideoId;
    const over = await catalogue.suggest('audio', next, host, newRoom);
    expect(over.status).toBe('day-used-up');
    expect(over.items.every(({ source }) => source === 'library')).toBe(true);
  });

  test('a suggestion asks what plays out of the same number', async () => {
    answerBoth();
    const catalogue = open({ allowances: { lookUpsPerHour: 1 } });
    expect((await catalogue.suggest('audio', playing, host, newRoom)).status).toBe('ok');
    const over = await catalogue.suggest('audio', videoIdNumber(2) as VideoId, host, newRoom);
    expect(over.status).toBe('hour-used-up');
    expect(over.items.every(({ source }) => source === 'library')).toBe(true);
    expect(api.calls.map(({ call }) => call)).toEqual(['videos', 'search']);
  });
});

test('a track with nothing related to it is followed by the library', async () => {
  api.answer = (_call, response) => sendJson(response, { items: [] });
  const answer = await open().suggest('audio', videoIdNumber(7) as VideoId, host, newRoom);
  expect(answer.status).toBe('ok');
  expect(new Set(answer.items.map(({ source }) => source))).toEqual(new Set(['library']));
});

test('a file without artist and cover is found by its title alone, and has no picture', async () => {
  library = await openMediaLibrary({ folder: join(import.meta.dirname, '../../../testkit/media'), log: logger() });
  const { items } = await open({ hasKey: false }).search('audio', 'vorbis', host);
  expect(items).toMatchObject([{ title: 'Vorbis Song', thumbnail: null, source: 'library' }]);
});

/** What the cards of messages show: of the library, of YouTube through a fake service, and of ids that name nothing. */
import type { TrackCard, VideoId } from '@tunemate/protocol';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { sendJson, startFakeDataApi } from '@tunemate/testkit/fakes/fake-data-api';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { afterEach, expect, test } from 'vitest';
import { libraryId } from './library/library-item.ts';

const kitchen = libraryId('media/sunday-kitchen.mp3');
const film = libraryId('media/two-reels.mp4');
const noTrack = 'lib_0000000000000000' as VideoId;

const videoIdNumber = (number: number) => `vidEoNu${String(number).padStart(4, '0')}` as VideoId;

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of close.splice(0).toReversed()) await end();
});

async function open(env: Record<string, string> = {}): Promise<SocketWorld> {
  const w = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1', ...env }, clock: createFakeClock() });
  close.push(() => w.close());
  return w;
}

async function withService() {
  const api = await startFakeDataApi();
  close.push(() => api.close());
  api.answer = ({ parameters }, response) =>
    sendJson(response, {
      items: (parameters['id'] ?? '').split(',').map((id) => ({ id, snippet: { title: `Song ${id}` } })),
    });
  const w = await open({ YOUTUBE_API_KEY: 'a-key', YOUTUBE_API_URL: api.url });
  return { api, w };
}

const titlesOf = (cards: readonly TrackCard[]) => cards.map(({ state, title }) => `${state} ${title}`.trim());

test('a card has title, artist and length of a library track, says what is a film, and what is not here now', async () => {
  const mara = await (await open()).arrive('Mara');
  const { cards } = valueOf(await mara.ask('catalogue/cards', { videoIds: [kitchen, film, noTrack, kitchen] }));
  expect(cards.map(({ videoId }) => videoId)).toEqual([kitchen, film, noTrack, kitchen]);
  expect(cards[0]).toMatchObject({
    ...{ state: 'here', isFilm: false, title: 'Sunday Kitchen', artist: 'Lena Vogt Septet' },
    ...{ durationSeconds: 107.37, thumbnail: `/media/${kitchen}/cover` },
  });
  expect(cards[1]).toMatchObject({ state: 'here', isFilm: true });
  expect(cards[2]).toMatchObject({ state: 'gone', title: '', thumbnail: null });
});

test('without a key no video is looked up, and its card may play all the same', async () => {
  const mara = await (await open()).arrive('Mara');
  const { cards } = valueOf(await mara.ask('catalogue/cards', { videoIds: [videoIdNumber(1)] }));
  expect(cards).toMatchObject([{ state: 'unknown', title: '', thumbnail: null }]);
});

test('all videos of a request are one call, the next request makes none, and no picture is of another host', async () => {
  const { api, w } = await withService();
  const mara = await w.arrive('Mara');
  const videoIds = [videoIdNumber(1), videoIdNumber(2), videoIdNumber(1)];
  const first = valueOf(await mara.ask('catalogue/cards', { videoIds }));
  expect(first.cards.map(({ state, thumbnail }) => [state, thumbnail])).toEqual(videoIds.map(() => ['here', null]));
  expect(valueOf(await mara.ask('catalogue/cards', { videoIds }))).toEqual(first);
  expect(api.calls).toHaveLength(1);
});

test('a card of a video that another person has seen is looked up like any other: neither time nor a used-up budget tells', async () => {
  const { api, w } = await withService();
  const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const videoIds = [videoIdNumber(3)];
  valueOf(await mara.ask('catalogue/cards', { videoIds }));
  const room = await w.room(mara, 'video');
  valueOf(await mara.ask('catalogue/search', { ...room, query: `https://youtu.be/${videoIdNumber(4)}` }));
  const before = api.calls.length;
  for (const id of [3, 4]) valueOf(await ivo.ask('catalogue/cards', { videoIds: [videoIdNumber(id)] }));
  expect(api.calls).toHaveLength(before + 2);
});

test('a link to a film is no video of YouTube, which is not asked about it', async () => {
  const { api, w } = await withService();
  const mara = await w.arrive('Mara');
  const link = 'link:https://films.example/a.mp4?key=of-somebody' as VideoId;
  expect(titlesOf(valueOf(await mara.ask('catalogue/cards', { videoIds: [link] })).cards)).toEqual(['gone']);
  expect(api.calls).toEqual([]);
});

test('a video that YouTube does not know is gone; one that could not be looked up is unknown', async () => {
  const { api, w } = await withService();
  const mara = await w.arrive('Mara');
  api.answer = (_call, response) => sendJson(response, { items: [] });
  expect(titlesOf(valueOf(await mara.ask('catalogue/cards', { videoIds: [videoIdNumber(7)] })).cards)).toEqual([
    'gone',
  ]);
  api.answer = (_call, response) => sendJson(response, {}, 500);
  expect(titlesOf(valueOf(await mara.ask('catalogue/cards', { videoIds: [videoIdNumber(8)] })).cards)).toEqual([
    'unknown',
  ]);
});

test('a flood of videos uses up what cards may look up, and nothing of the look-ups of the person’s rooms', async () => {
  const { api, w } = await withService();
  // On several tabs, each of which may ask so much a second by the clock on the wall.
  const person = await w.person('Mara');
  const [mara, ...others] = await Promise.all([w.connect(person), w.connect(person), w.connect(person)]);
  const tabs = [mara, ...others];
  const states: string[] = [];
  for (let at = 0; at < 65; at += 1) {
    const answer = await (tabs[at % tabs.length] ?? mara).ask('catalogue/cards', {
      videoIds: [videoIdNumber(100 + at)],
    });
    states.push(answer.ok ? (answer.value.cards[0]?.state ?? '') : answer.error.code);
    w.clock.advance(1000);
  }
  expect(states.slice(0, 60)).toEqual(Array(60).fill('here'));
  expect(states.slice(60)).toEqual(Array(5).fill('unknown'));
  const room = await w.room(mara, 'video');
  const query = `https://youtu.be/${videoIdNumber(9)}`;
  expect(valueOf(await mara.ask('catalogue/search', { ...room, query })).items[0]?.title).not.toBe(videoIdNumber(9));
  expect(api.calls).toHaveLength(61);
});

test('requests for cards are limited for each person, and others still get theirs', async () => {
  const w = await open();
  const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const codes: string[] = [];
  for (let at = 0; at < 45; at += 1) codes.push(codeOf(await mara.ask('catalogue/cards', { videoIds: [kitchen] })));
  expect(codes.filter((code) => code === 'ok').length).toBeLessThan(45);
  expect(codes.at(-1)).toBe('limit/too-many');
  expect(codeOf(await ivo.ask('catalogue/cards', { videoIds: [kitchen] }))).toBe('ok');
});

test.each([
  ['no id', 'https://youtu.be/x'],
  ['a path', '../../../etc/passwd'],
  ['markup', '<img src=x>'],
  ['nothing', ''],
])('%s as an id is invalid', async (_what, videoId) => {
  const mara = await (await open()).arrive('Mara');
  expect(codeOf(await mara.send('catalogue/cards', { videoIds: [videoId] }))).toBe('input/invalid');
});

/** What happens after the track in an audio room: it stops, plays its queue, or goes on with what is suggested. */
import { playbackOfDocument, roomRules } from '@tunemate/domain';
import { applyPlaybackChange } from '@tunemate/playback';
import { limits, type PlaybackIntent, roomKinds, type VideoId } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { startFakeDataApi, videoIdNumber } from '@tunemate/testkit/fakes/fake-data-api';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyPlayback, type PlaybackState } from './playback-document.ts';
import { afterEnd, applyIntent, type Moment } from './playback-intents.ts';

const nowMs = 1_900_000_000_000;
const moment: Moment = { nowMs, leadMs: 200, loadMs: 3000 };
const choose = (n: number): PlaybackIntent => ({ type: 'choose', track: trackOf(n) });
const enqueue = (n: number): PlaybackIntent => ({ type: 'enqueue', track: trackOf(n) });
const set = (afterTrack: PlaybackState['afterTrack']): PlaybackIntent => ({ type: 'setAfterTrack', afterTrack });

function after(state: PlaybackState, intents: readonly PlaybackIntent[], at: Moment = moment): PlaybackState {
  return intents.reduce((before, intent) => {
    const applied = applyIntent('audio', before, intent, at);
    if (!applied.ok) throw new Error(applied.error.code);
    if (applied.value === null) return before;
    const received = applyPlaybackChange(before, applied.value);
    if (received.status !== 'applied') throw new Error(received.status);
    return received.playback;
  }, state);
}
const fresh = (...intents: PlaybackIntent[]) => after(emptyPlayback('audio', nowMs), intents);
const titles = ({ queue }: PlaybackState) => queue.videoQueue.map(({ title }) => title);
const now = ({ queue, timeline }: PlaybackState) => [
  queue.videoQueue[queue.currentIndex]?.title ?? null,
  timeline.isPlaying,
];
const ended = (state: PlaybackState, suggested?: Moment['suggested']) =>
  after(state, [{ type: 'ended', revision: state.timeline.revision }], { ...moment, suggested });

describe('after the track', () => {
  test('what is set already is no change (AFTER-1)', () => {
    const state = fresh(set('queue'));
    expect(applyIntent('audio', state, set('queue'), moment)).toEqual({ ok: true, value: null });
    expect(applyIntent('audio', state, set('stop'), moment)).toMatchObject({ value: { afterTrack: 'stop' } });
  });

  test('an audio room stops at first, with a queue too; a video room always plays its queue (AFTER-1)', () => {
    const stopped = ended(fresh(choose(1), enqueue(2)));
    expect(now(stopped)).toEqual(['Track 1', false]);
    expect(stopped.timeline.positionSeconds).toBe(0);
    expect(afterEnd(fresh(choose(1), enqueue(2)))).toBeNull();
    expect(applyIntent('video', emptyPlayback('video', nowMs), set('stop'), moment)).toMatchObject({ ok: false });
    expect(roomKinds.map((kind) => roomRules[kind].afterTrack)).toEqual(['queue', 'stop']);
  });

  test('it plays the queue where the host said so, from the beginning after the last (AFTER-2)', () => {
    const first = fresh(choose(1), enqueue(2), set('queue'));
    expect(afterEnd(first)).toBe(trackOf(2).videoId);
    const second = ended(first);
    expect(now(second)).toEqual(['Track 2', true]);
    expect(now(ended(second))).toEqual(['Track 1', true]);
  });

  test('it goes on with the first suggestion that was not played, once nothing waits (AFTER-3)', () => {
    const first = fresh(choose(1), enqueue(2), set('suggested'));
    const suggested = (n: number, ...more: number[]) => ({
      after: trackOf(n).videoId,
      tracks: more.map((each) => trackOf(each)),
    });
    const second = ended(first, suggested(1, 9));
    expect(now(second)).toEqual(['Track 2', true]);
    const third = ended(second, suggested(2, 1, 3));
    expect([now(third), titles(third)]).toEqual([
      ['Track 3', true],
      ['Track 1', 'Track 2', 'Track 3'],
    ]);
    expect(now(ended(third, suggested(3, 2, 1)))).toEqual(['Track 2', true]);
  });

  test('it goes on after as many tracks as a queue holds (AFTER-3)', () => {
    const many = Array.from({ length: limits.queueItems - 1 }, (_, n) => enqueue(n + 2));
    const last: PlaybackIntent = { type: 'jump', currentIndex: limits.queueItems - 1 };
    const full = fresh(choose(1), ...many, set('suggested'), last);
    const next = ended(full, { after: trackOf(limits.queueItems).videoId, tracks: [trackOf(1), trackOf(999)] });
    expect([now(next), titles(next)]).toEqual([['Track 999', true], ['Track 999']]);
  });

  test('where nothing is suggested, or something after another track, it stops (AFTER-3)', () => {
    const last = fresh(choose(1), set('suggested'));
    expect(now(ended(last))).toEqual(['Track 1', false]);
    expect(now(ended(last, { after: trackOf(1).videoId, tracks: [] }))).toEqual(['Track 1', false]);
    expect(now(ended(last, { after: trackOf(2).videoId, tracks: [trackOf(3)] }))).toEqual(['Track 1', false]);
  });

  test('a chosen track replaces what plays, and stands before what waits', () => {
    expect(titles(fresh(choose(1), choose(2)))).toEqual(['Track 2']);
    const waiting = fresh(choose(1), enqueue(2), choose(3));
    expect([titles(waiting), now(waiting)]).toEqual([
      ['Track 1', 'Track 3', 'Track 2'],
      ['Track 3', true],
    ]);
    expect(titles(fresh(set('queue'), choose(1), choose(2)))).toEqual(['Track 1', 'Track 2']);
    const many = Array.from({ length: limits.queueItems - 1 }, (_, n) => enqueue(n + 2));
    const full = fresh(choose(1), ...many);
    expect(applyIntent('audio', full, choose(999), moment)).toEqual({
      ok: false,
      error: { code: 'playback/queue-full' },
    });
  });
});

describeEachDialect('an audio room that goes on', (makeDatabaseUrl) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  test('asks the catalogue when the track ends, and all in the room receive it (AFTER-3)', async () => {
    const [mara, ada] = [await w.arrive('Mara'), await w.arrive('Ada')];
    const { room, stream } = await w.roomWith(mara, 'audio', ada);
    const { tabId } = mara;
    valueOf(await mara.ask('playback/takeControl', { ...room, tabId }));
    const write = (intent: PlaybackIntent) =>
      mara.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent });
    const [song] = valueOf(await mara.ask('catalogue/suggest', { ...room, videoId: null })).items;
    if (!song) throw new Error('the library is empty');
    const { videoId, title, durationSeconds } = song;
    valueOf(await write({ type: 'choose', track: { videoId, title, durationSeconds } }));
    const { revision } = valueOf(await write({ type: 'setAfterTrack', afterTrack: 'suggested' }));
    valueOf(await write({ type: 'ended', revision }));
    await expect.poll(() => ada.changes(stream).map(({ type }) => type)).toContain('playback/afterTrackChanged');
    const sent = valueOf(await ada.ask('rooms/enter', room)).playback;
    const { queue, timeline, afterTrack } = playbackOfDocument(sent);
    expect([afterTrack, timeline.isPlaying, queue.currentIndex, queue.videoQueue.length]).toEqual([
      'suggested',
      true,
      1,
      2,
    ]);
    expect(timeline.trackKey).not.toBe(videoId);
    expect(
      codeOf(await ada.send('playback/write', { ...room, tabId, clientId: newClientId(), intent: set('stop') })),
    ).toBe('room/host-only');
  });
});

test('a room that does not open its list costs no statement and no byte for it', async () => {
  const statements: string[] = [];
  const world = await openSocketWorld({ onStatement: (statement) => void statements.push(statement) });
  const [mara, ada] = [await world.arrive('Mara'), await world.arrive('Ada')];
  const { room, stream } = await world.roomWith(mara, 'audio', ada);
  const { tabId } = mara;
  valueOf(await mara.ask('playback/takeControl', { ...room, tabId }));
  const write = async (intent: PlaybackIntent) =>
    valueOf(await mara.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent })).revision;
  const counts = () => statements.filter((statement) => statement.includes('heard_counts')).length;
  await write(choose(1));
  await write(enqueue(2));
  await write({ type: 'ended', revision: await write(set('queue')) });
  await write({ type: 'ended', revision: await write(set('stop')) });
  valueOf(await ada.ask('rooms/enter', room));
  expect([counts(), JSON.stringify(ada.changes(stream)).includes('because')]).toEqual([0, false]);
  valueOf(await ada.ask('catalogue/suggest', { ...room, videoId: trackOf(2).videoId }));
  expect(counts()).toBeGreaterThan(0);
});

test('the catalogue is asked only where nothing waits and the room goes on with suggestions (AFTER-3)', async () => {
  const api = await startFakeDataApi();
  const world = await openSocketWorld({ env: { YOUTUBE_API_KEY: 'a-key', YOUTUBE_API_URL: api.url } });
  const mara = await world.arrive('Mara');
  const room = await world.room(mara, 'audio');
  const { tabId } = mara;
  valueOf(await mara.ask('playback/takeControl', { ...room, tabId }));
  const write = async (intent: PlaybackIntent) =>
    valueOf(await mara.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent })).revision;
  const video = (n: number) => ({
    videoId: videoIdNumber(n) as VideoId,
    title: `Song ${String(n)}`,
    durationSeconds: null,
  });
  await write({ type: 'choose', track: video(1) });
  await write({ type: 'enqueue', track: video(2) });
  await write({ type: 'ended', revision: await write(set('suggested')) });
  await write({ type: 'ended', revision: await write(set('queue')) });
  await write({ type: 'next' });
  await write({ type: 'ended', revision: await write(set('stop')) });
  expect(api.calls).toEqual([]);
  await write(set('suggested'));
  await write({ type: 'ended', revision: await write({ type: 'play' }) });
  expect(api.calls.map(({ parameters }) => parameters['id'])).toEqual([videoIdNumber(2)]);
  await world.close();
  await api.close();
});

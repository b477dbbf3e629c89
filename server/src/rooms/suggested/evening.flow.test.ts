/** An evening that goes on by itself for an hour, of files and of a music server: it plays what its list says, for true reasons. */
import { playbackOfDocument } from '@tunemate/domain';
import type { CatalogueItem, PlaybackIntent, VideoId } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { fakeAccount, startFakeSubsonic } from '@tunemate/testkit/fakes/fake-subsonic';
import { otherServers } from '@tunemate/testkit/fakes/other-servers';
import { startSupysonic } from '@tunemate/testkit/services/programs/supysonic';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';

const hourMs = 60 * 60_000;
/** Two of each of the first artists; longer than an hour in all. */
const tracks = Array.from({ length: 16 }, (_, at) => ({
  ...{ file: `Artist ${String(at % 12)}/Song ${String(at)}.flac`, title: `Song ${String(at)}` },
  ...{ artist: `Artist ${String(at % 12)}`, album: `Album ${String(at)}`, number: at + 1, seconds: 290 },
}));

async function openEvening(env: Readonly<Record<string, string>>) {
  const w = await openSocketWorld({ env });
  const [mara, ada] = [await w.arrive('Mara'), await w.arrive('Ada')];
  const { room } = await w.roomWith(mara, 'audio', ada);
  const { tabId } = mara;
  valueOf(await mara.ask('playback/takeControl', { ...room, tabId }));
  const find = async (query: string) => valueOf(await mara.ask('catalogue/search', { ...room, query })).items;
  const named = async (query: string) => {
    await expect.poll(async () => (await find(query)).length).toBeGreaterThan(0);
    const [{ videoId, title, durationSeconds }] = (await find(query)) as [CatalogueItem];
    return { videoId, title, durationSeconds };
  };
  return {
    ...{ w, named },
    write: async (intent: PlaybackIntent) =>
      valueOf(await mara.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent })),
    propose: async (track: Awaited<ReturnType<typeof named>>) =>
      valueOf(await ada.ask('rooms/propose', { ...room, clientId: newClientId(), track })),
    playing: async () => {
      const { queue } = playbackOfDocument(valueOf(await ada.ask('rooms/enter', room)).playback);
      return queue.videoQueue[queue.currentIndex];
    },
    list: async (videoId: VideoId) => valueOf(await ada.ask('catalogue/suggest', { ...room, videoId })).items,
  };
}

/** An hour of it. */
async function goesOn(evening: Awaited<ReturnType<typeof openEvening>>): Promise<void> {
  const { w, named, write, propose, playing, list } = evening;
  const [first, wanted] = [await named('Song 3'), await named('Song 9')];
  const artistOf = ({ title }: { title: string }) => title.split(' – ')[1];
  const heard = new Set<VideoId>([first.videoId]);
  const reasons: string[] = [];
  const isTrue = (item: CatalogueItem): boolean => {
    const { because } = item;
    if (because?.because === 'voted') return because.name === 'Ada' && item.videoId === wanted.videoId;
    if (because?.because === 'artist' || because?.because === 'similar') return artistOf(item) === artistOf(first);
    if (because?.because === 'surprise') return !heard.has(item.videoId);
    // They were together for the first time this evening, and the house chose all but the first track.
    return ['library', 'genre', 'years', 'tempo', 'calm'].includes(because?.because ?? '');
  };
  await write({ type: 'choose', track: first });
  await write({ type: 'setAfterTrack', afterTrack: 'suggested' });
  await propose(wanted);
  const untilMs = w.app.clock.now() + hourMs;
  while (w.app.clock.now() < untilMs) {
    const now = await playing();
    if (now === undefined) throw new Error('a track plays');
    await w.pass(65_000);
    const [next] = await list(now.videoId);
    if (next === undefined) throw new Error('the list shows a track');
    expect([isTrue(next), next.because]).toEqual([true, next.because]);
    await w.pass(((now.durationSeconds ?? 0) - 55) * 1000);
    await expect.poll(async () => (await playing())?.videoId).toBe(next.videoId);
    expect(heard).not.toContain(next.videoId);
    heard.add(next.videoId);
    reasons.push(next.because?.because ?? '');
  }
  expect(reasons[0]).toBe('voted');
  expect(reasons).toContain('surprise');
  expect(heard.size).toBeGreaterThan(11);
}

describeWithService(
  'Supysonic',
  () => startSupysonic(tracks),
  (supysonic) => {
    test.each([
      ['files', () => ({ MEDIA_DIR: supysonic.folder })],
      ['a music server', () => supysonic.env],
    ])(
      'an evening of %s goes on for an hour with what its list shows first, for true reasons (AFTER-3)',
      async (_, env) => {
        const evening = await openEvening(env());
        await goesOn(evening);
        await evening.w.close();
      },
    );
  },
);

test.each(Object.entries(otherServers))(
  'an evening of a music server that answers as %s does goes on as long (AFTER-3)',
  async (_name, { song, answer }) => {
    const fake = await startFakeSubsonic({ songAt: song, count: 16, file: Buffer.alloc(1000) });
    fake.answer = answer;
    const { user, password } = fakeAccount;
    const evening = await openEvening({ SUBSONIC_URL: fake.url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password });
    await goesOn(evening);
    const { log } = evening.w.app;
    expect(log.filter(({ event }) => /^catalogue\.subsonic-(?:failed|refused|empty|fewer)$/u.test(event))).toEqual([]);
    await evening.w.close();
    await fake.close();
  },
);

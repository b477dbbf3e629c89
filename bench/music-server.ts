/**
 * A music server with 100,000 tracks as a source: how long its list takes to read, what the server answers meanwhile, how
 * quickly people look through it, and its memory beside a server without. Writes results/music-server.md and ends with 1
 * when a goal is missed.
 * Usage: npm run bench -- music-server
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newClientId } from '@tunemate/testkit/answers';
import { percentile } from '@tunemate/testkit/percentile';
import { fakeAccount, startFakeSubsonic } from '@tunemate/testkit/fakes/fake-subsonic';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { connect, makePeople, type Member } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { residentMb } from './load/process-cost.ts';

const count = 100_000;
const asked = 60;
const mostMs = 300;
const mostMb = 60;
/** What a reading left behind is collected in both servers before their memory is compared. */
const collects = [
  '--expose-gc',
  '--import',
  'data:text/javascript,process.on("SIGUSR2",()=>{gc();gc();console.log("held",process.memoryUsage().heapUsed)})',
];
const restMs = 2000;

const fake = await startFakeSubsonic({ count });
const account = { SUBSONIC_URL: fake.url, SUBSONIC_USER: fakeAccount.user, SUBSONIC_PASSWORD: fakeAccount.password };

async function timed(times: number, ask: (at: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const begunMs = performance.now();
    await ask(at);
    took.push(performance.now() - begunMs);
  }
  return took;
}

type Looks = Record<'first' | 'artists' | 'albums' | 'album' | 'search' | 'newest', number[]>;

async function look(host: Member, room: { kind: 'audio'; code: string }): Promise<Looks> {
  const group = async (by: 'artist' | 'album', from: number) => await host.ask('library/groups', { ...room, by, from });
  const first = await timed(1, () => group('artist', 0));
  const albums = (await group('album', 0)).groups;
  return {
    first,
    artists: await timed(asked, (at) => group('artist', (at % 10) * 100)),
    albums: await timed(asked, (at) => group('album', at * 100)),
    album: await timed(asked, (at) =>
      host.ask('library/tracks', {
        ...room,
        view: { type: 'group', by: 'album', id: albums[at]?.id ?? '0'.repeat(16) },
        from: 0,
      }),
    ),
    search: await timed(asked, (at) =>
      host.ask('library/tracks', {
        ...room,
        view: { type: 'search', words: `song ${String(at * 1000)} artist` },
        from: 0,
      }),
    ),
    newest: await timed(asked, (at) =>
      host.ask('library/tracks', { ...room, view: { type: 'newest' }, from: at * 1000 }),
    ),
  };
}

/** A playlist of another player: its files have other names, so that each line is found by its artist and title. */
const playlist = Array.from({ length: 500 }, (_, at) => {
  const song = at * 199;
  const artist = String(Math.floor(song / 100));
  return `#EXTINF:200,Artist ${artist} - Song number ${String(song)}\n/home/ada/Music/${artist}/${String(song)}.mp3\n`;
}).join('');
const playlists = 20;

/** How long each reading takes, and what another request waits meanwhile. */
async function readPlaylists(url: string, { cookie }: Person, other: () => Promise<unknown>) {
  let isReading = true;
  const meanwhile: number[] = [];
  const asking = (async () => {
    while (isReading) {
      meanwhile.push(...(await timed(1, other)));
      await pause(5);
    }
  })();
  const read = await timed(playlists, async (at) => {
    const asked = new URLSearchParams({ kind: 'audio', name: `Playlist ${String(at)}`, clientId: newClientId() });
    const answer = await fetch(`${url}/api/queues/m3u8?${asked.toString()}`, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'audio/x-mpegurl' },
      body: playlist,
    });
    const { value } = (await answer.json()) as { value?: { found: number } };
    if (value?.found !== 500) throw new Error(`of the playlist ${String(value?.found)} tracks were found`);
  });
  isReading = false;
  await asking;
  return { read, meanwhile };
}

async function measure(env: Readonly<Record<string, string>>) {
  const data = await makeTempDir('bench-music-server');
  const [person] = await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, 1);
  const begunMs = performance.now();
  const server = await startServerProcess({
    dataDir: data.path,
    nodeFlags: collects,
    env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'error', ...env },
  });
  const startedMs = performance.now() - begunMs;
  const host = await connect(server.url, person as Person);
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind: 'audio', name: 'A large library' });
  const room = { kind: 'audio', code } as const;
  await host.ask('rooms/enter', room);
  const meanwhile: number[] = [];
  const total = env['SUBSONIC_URL'] === undefined ? 0 : count;
  for (;;) {
    // A request that looks at nothing of the list.
    meanwhile.push(
      ...(await timed(1, () => host.ask('library/subtitles', { ...room, videoId: 'lib_0000000000000000' }))),
    );
    if (fake.calls.filter(({ method }) => method === 'search3').length > total / 500) break;
    if (total === 0) break;
    await pause(20);
  }
  const readMs = performance.now() - begunMs;
  await pause(1000);
  const looks = await look(host, room);
  const lists =
    total === 0
      ? { read: [], meanwhile: [] }
      : await readPlaylists(server.url, person as Person, () =>
          host.ask('library/subtitles', { ...room, videoId: 'lib_0000000000000000' }),
        );
  process.kill(server.pid, 'SIGUSR2');
  await pause(restMs);
  const memoryMb = residentMb(server.pid);
  const heldMb = Number(/held (\d+)/.exec(server.log())?.[1]) / 1024 / 1024;
  host.line.disconnect();
  await server.dispose();
  await data.remove();
  return { looks, lists, meanwhile, startedMs, readMs, memoryMb, heldMb };
}

const without = await measure({});
const withIt = await measure(account);
await fake.close();

const { looks, lists } = withIt;
const names: Record<keyof Looks, string> = {
  first: 'first page after the reading',
  artists: 'artists',
  albums: 'albums',
  album: 'tracks of an album',
  search: 'search',
  newest: 'newest',
};
const kinds = Object.keys(names) as (keyof Looks)[];
const grownMb = withIt.heldMb - without.heldMb;
const report = `# A music server with 100,000 tracks, measured

\`npm run bench -- music-server\`

${count.toLocaleString('en')} tracks of 1,000 artists on 10,000 albums, from a stand-in on loopback; one person looks through them, ${String(asked)} times
each. Server, stand-in and person share ${String(cpus().length)} cores.

| look | p50 ms | p95 ms | goal p95 |
|---|---|---|---|
${kinds.map((kind) => `| ${names[kind]} | ${percentile(looks[kind], 0.5).toFixed(1)} | ${percentile(looks[kind], 0.95).toFixed(1)} | ${String(mostMs)} |`).join('\n')}

| figure | measured | goal |
|---|---|---|
| memory that the list, its search and its index hold, MB | ${grownMb.toFixed(0)} | ${String(mostMb)} |
| resident memory over a server without, MB | ${(withIt.memoryMb - without.memoryMb).toFixed(0)} | |
| start until the list is read, s | ${(withIt.readMs / 1000).toFixed(1)} | |
| reading a playlist file of 500 lines by artist and title, p50 / p95 ms | ${[0.5, 0.95].map((share) => percentile(lists.read, share).toFixed(0)).join(' / ')} | |
| another request while playlists are read, p50 / p95 / longest ms | ${[0.5, 0.95, 1].map((share) => percentile(lists.meanwhile, share).toFixed(1)).join(' / ')} | |
| another request while the list is read, p50 / p95 / longest ms | ${[0.5, 0.95, 1].map((share) => percentile(withIt.meanwhile, share).toFixed(1)).join(' / ')} | |
`;
await writeFile(join(import.meta.dirname, 'results', 'music-server.md'), report);
console.log(report);
process.exit(grownMb <= mostMb && kinds.every((kind) => percentile(looks[kind], 0.95) <= mostMs) ? 0 : 1);

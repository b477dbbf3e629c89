/**
 * How long a press on play takes to the first sound, of a track of the music server and of the same track in the folder:
 * a media element in Chromium, a real Supysonic, nothing cached. Writes results/first-sound.md and ends with 1 when the
 * music server is slower than its goal.
 * Usage: npm run bench -- first-sound
 */
import { cp, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { newClientId } from '@tunemate/testkit/answers';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { startSupysonic } from '@tunemate/testkit/services/supysonic';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { connect, makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';

const times = 40;
/** How many times as long the music server may take. */
const most = 1.3;

const track = { file: 'Ada Byrd/01.flac', title: 'Night Ferry', artist: 'Ada Byrd', album: 'Best of', number: 1 };
const supysonic = await startSupysonic([{ ...track, seconds: 120 }]);
const [data, music] = [await makeTempDir('bench-first-sound'), await makeTempDir('bench-first-sound-music')];
await cp(join(supysonic.folder, track.file), join(music.path, 'night-ferry.flac'));
const [person] = (await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, 1)) as [Person];
const server = await startServerProcess({
  dataDir: data.path,
  env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'error', MEDIA_DIR: music.path, ...supysonic.env },
});
const host = await connect(server.url, person);
const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind: 'audio', name: 'First sound' });
const room = { kind: 'audio', code } as const;
await host.ask('rooms/enter', room);
const view = { type: 'search', words: 'night ferry' } as const;
const { tracks } = await host.ask('library/tracks', { ...room, view, from: 0 });
const idOf = (isRemote: boolean) => tracks.find(({ server: named }) => (named !== null) === isRemote)?.videoId ?? '';
const ids = { folder: idOf(false), server: idOf(true) };

const browser = await chromium.launch({ ...chromiumLaunch({ autoplay: true }) });

const context = await browser.newContext({ baseURL: server.url });
const [name = '', value = ''] = person.cookie.split('=');
await context.addCookies([{ name, value, url: server.url }]);
const page = await context.newPage();
await page.goto('/', { waitUntil: 'networkidle' });

/** `round` makes another address of it, of which the browser has nothing. */
const press = async (id: string, round: number): Promise<number> =>
  await page.evaluate(
    (src) =>
      new Promise<number>((resolve, reject) => {
        const pressedMs = performance.now();
        const audio = new Audio(src);
        const look = setInterval(() => {
          if (audio.currentTime === 0) return;
          clearInterval(look);
          audio.pause();
          audio.removeAttribute('src');
          resolve(performance.now() - pressedMs);
        }, 1);
        audio.play().catch(reject);
      }),
    `/media/${id}?round=${String(round)}`,
  );

const took = { folder: [] as number[], server: [] as number[] };
for (let at = 0; at <= times; at += 1) {
  for (const source of ['folder', 'server'] as const) {
    const ms = await press(ids[source], at);
    // The first one opens what all others find open.
    if (at > 0) took[source].push(ms);
  }
}
await browser.close();
host.line.disconnect();
await server.dispose();
await supysonic.stop();
for (const dir of [data, music]) await dir.remove();

const [ofFolder, ofServer] = [percentile(took.folder, 0.5), percentile(took.server, 0.5)];
const ratio = ofServer / ofFolder;
const row = (name: string, of: number[]) =>
  `| ${name} | ${percentile(of, 0.5).toFixed(0)} | ${percentile(of, 0.95).toFixed(0)} |`;
const report = `# From the press to the first sound

\`npm run bench -- first-sound\`

A media element in Chromium plays the same FLAC of two minutes, ${String(times)} times each and by turns, in a browser that has nothing
of it: from the folder, and from Supysonic through this server. Everything is on loopback; all share ${String(cpus().length)} cores.

| source | p50 ms | p95 ms |
|---|---|---|
${row('folder', took.folder)}
${row('music server', took.server)}

The music server takes ${ratio.toFixed(2)} times as long (p50); the goal is ${String(most)} at most.
`;
await writeFile(join(import.meta.dirname, 'results', 'first-sound.md'), report);
console.log(report);
process.exit(ratio <= most ? 0 : 1);

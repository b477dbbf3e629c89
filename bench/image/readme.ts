/** Runs the container's commands of README.md as they stand, with a folder of the reader's own music. */
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { protocolVersion } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { openClient } from '@tunemate/testkit/network/client';
import type { Checking } from './one-container.ts';
import { joinAsAnn, makeRoom, untilReady } from './tunemate.ts';

const url = 'http://localhost:3000';

export async function checkReadme({
  engine,
  check,
  repository,
  folder,
}: Checking & { repository: string }): Promise<void> {
  await check('the commands of README run as they stand, and a track of `~/Music` is served', async () => {
    const text = await readFile(join(repository, 'README.md'), 'utf8');
    const [, commands] = /```sh\n(docker build [\s\S]*?)```/.exec(text) ?? [];
    if (commands === undefined) throw new Error('README has no commands that begin with docker build');
    const home = join(folder, 'home');
    await rm(home, { recursive: true, force: true });
    await mkdir(join(home, 'Music'), { recursive: true });
    const media = join(repository, 'library/media');
    const [track = ''] = (await readdir(media)).filter((name) => name.endsWith('.m4a')).toSorted();
    await copyFile(join(media, track), join(home, 'Music', track));
    await engine.try('volume', 'rm', '--force', 'tunemate');
    const said = await engine.asDocker(commands, { cwd: repository, home });
    const id = said.trim().split('\n').at(-1) ?? '';
    const startedMs = performance.now();
    await untilReady(url, async () => {
      const state = await engine.try('inspect', '--format', '{{.State.Running}}', id);
      if (state.said.trim() !== 'true') throw new Error((await engine.try('logs', id)).said);
    });
    const ann = await joinAsAnn({ url, command: (...args) => engine.podman('exec', id, 'tunemate', ...args) });
    const code = await makeRoom(url, ann);
    const line = await openClient(url, { cookie: ann.cookie() });
    valueOf(await line.request('session/hello', { protocolVersion, tabId: crypto.randomUUID() }));
    const asked = { kind: 'audio', code, view: { type: 'newest' }, from: 0 };
    const { tracks } = valueOf(await line.request('library/tracks', asked)) as { tracks: { videoId: string }[] };
    line.disconnect();
    const [own] = tracks;
    if (own === undefined || tracks.length > 1)
      throw new Error(`${String(tracks.length)} tracks are listed, and not one`);
    const { status } = await ann.fetch(`/media/${own.videoId}`);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    await engine.podman('rm', '--force', '--time', '15', id);
    if (status !== 200) throw new Error(`the track answers ${String(status)}`);
    return `the one track of the folder is listed and sent ${String(seconds)} s after the container's start`;
  });
}

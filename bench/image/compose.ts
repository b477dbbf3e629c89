/** Checks compose.yaml itself, with Debian's podman-compose. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@tunemate/testkit/services/free-port';
import { buildFlags } from './engine.ts';
import type { Checking } from './one-container.ts';
import { untilReady } from './tunemate.ts';

export async function checkCompose({
  engine,
  check,
  repository,
  folder,
}: Checking & { repository: string }): Promise<void> {
  await check('compose.yaml starts on a published port', async () => {
    const port = await freePort();
    const file = join(folder, 'compose.yaml');
    const written = await readFile(join(repository, 'compose.yaml'), 'utf8');
    // Debian's podman-compose does not replace variables whose default is empty; the server trims a blank.
    const text = written.replaceAll(':-}', ':- }').replace('build: .', `build: ${repository}`);
    await writeFile(file, text);
    const project = ['--file', file, '--project-name', 'tunemate-check'];
    const build = ['--podman-build-args', buildFlags.join(' ')];
    await engine.compose([...project, ...build, 'up', '--detach', '--build'], { PORT: String(port) });
    const name = 'tunemate-check_tunemate_1';
    const url = `http://127.0.0.1:${String(port)}`;
    await untilReady(url, async () => {
      const log = (await engine.try('logs', name)).said;
      if (log.includes('Wrong setting')) throw new Error(log);
    });
    const page = await fetch(`${url}/login`, { headers: { host: 'localhost:3000' } });
    const found = await engine.podman('exec', name, 'tunemate', 'people', 'find', 'ann');
    await engine.compose([...project, 'down', '--volumes'], { PORT: String(port) });
    if (!page.ok) throw new Error(`/login answers ${String(page.status)}`);
    return `/login answers ${String(page.status)}; \`tunemate people find ann\`: ${found.trim()}`;
  });
}

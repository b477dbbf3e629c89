/**
 * Whether the containers of this repository work: builds the image and checks it as an operator meets it. Debian as root
 * alone: installs Podman, debootstrap and Caddy, and makes the base image itself, because no registry is asked. The image
 * of an older commit (by default the one before the newest migration) is upgraded. Ten minutes; about 5 GB in FOLDER,
 * which keeps the images for the next run when it is named. Writes results/image.md; ends with 1 when a check fails.
 * Usage: npm run bench -- image [FOLDER] [COMMIT]
 */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeNewestMigration, commitOf } from '@tunemate/testkit/commits';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { makeBaseImage } from './base-image.ts';
import { checkCluster } from './cluster.ts';
import { checkCompose } from './compose.ts';
import { openEngine } from './engine.ts';
import { checkImage } from './one-container.ts';
import { checkReadme } from './readme.ts';
import { writePage } from '../report/write-page.ts';

const repository = join(import.meta.dirname, '../..');
const [given, commit] = process.argv.slice(2);
await using temporary = await makeTempDir('image');
const folder = given === undefined ? temporary.path : resolve(given);
const older = commitOf(commit ?? beforeNewestMigration());

const rows: { check: string; found: string; isOk: boolean }[] = [];
/** Goes on after a failed one: each is a finding of its own. */
async function check(title: string, look: () => Promise<string>): Promise<void> {
  const found = await look().then(
    (text) => ({ found: text, isOk: true }),
    (error: unknown) => ({ found: error instanceof Error ? error.message : String(error), isOk: false }),
  );
  console.log(`${found.isOk ? 'ok    ' : 'FAILED'} ${title}: ${found.found}`);
  rows.push({ check: title, ...found });
}

const engine = await openEngine(join(folder, 'engine'));
try {
  const began = performance.now();
  await makeBaseImage(engine, folder, join(repository, 'Dockerfile'));
  console.log(`base image after ${String(Math.round((performance.now() - began) / 1000))} s`);
  await check('the Dockerfile builds', async () => {
    await engine.build('tunemate', repository);
    const bytes = await engine.podman('image', 'inspect', '--format', '{{.Size}}', 'tunemate');
    return `${String(Math.round(Number(bytes) / 1e6))} MB with Debian and Node`;
  });
  await check('the image of an older commit builds', async () => {
    const context = join(folder, 'older');
    await mkdir(context, { recursive: true });
    execFileSync('sh', ['-c', `git archive ${older} | tar --extract --directory "$0"`, context], { cwd: repository });
    await engine.build('tunemate-older', context);
    return older;
  });
  const spare = join(folder, 'data');
  await mkdir(spare, { recursive: true });
  await checkImage({ engine, check, folder: spare });
  await checkReadme({ engine, check, repository, folder: spare });
  await checkCompose({ engine, check, repository, folder: spare });
  await checkCluster({ engine, check, repository, folder: spare });
} finally {
  await engine.try('rm', '--all', '--force', '--time', '1');
  await engine.try('volume', 'prune', '--force');
  if (given === undefined) await engine.try('rmi', '--all', '--force');
}

const table = rows.map(
  ({ check: title, found, isOk }) => `| ${title} | ${isOk ? 'yes' : '**no**'} | ${found.replaceAll(/[|\n]+/g, ' ')} |`,
);
const document = `# Containers

\`npm run bench -- image\`

Podman and runc of Debian, on an image of Debian and the pinned Node made by debootstrap in the place of the one that the
Dockerfile names. Containers run with a file system that can't be written, without capabilities, and with an init, as
compose.yaml has it.

| what | so | found |
| --- | --- | --- |
${table.join('\n')}
`;
writePage('image', document);
process.exit(rows.every(({ isOk }) => isOk) ? 0 : 1);

/** Checks of one container over SQLite: rights, volumes, health, upgrade, backup and restore. */
import { chmodSync, chownSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { joinAsAnn, makeRoom, runToItsEnd, signInAsAnn, startTunemate } from './tunemate.ts';

export interface Checking {
  readonly engine: Engine;
  /** Runs one check, whose text says what was found. */
  readonly check: (title: string, look: () => Promise<string>) => Promise<void>;
  /** For files of the checks. */
  readonly folder: string;
}

/** No user of the image has it. */
const stranger = 4321;

function must(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

export async function checkImage({ engine, check, folder }: Checking): Promise<void> {
  const volume = async (name: string) => {
    await engine.try('volume', 'rm', '--force', name);
    await engine.podman('volume', 'create', name);
    return name;
  };
  await check('it runs as a user without rights, and is healthy', async () => {
    const server = await startTunemate(engine, { image: 'tunemate', data: await volume('rights') });
    const status = await engine.podman('exec', server.name, 'sh', '-c', 'id -un; cat /proc/1/status /proc/self/status');
    const [user = ''] = status.split('\n');
    must(user === 'node', `it runs as ${user}`);
    must(!/CapEff:\s*0*[1-9a-f]/.test(status), 'it has capabilities');
    await engine.podman('healthcheck', 'run', server.name);
    must((await server.stop()) === 0, 'a stop did not end it with 0');
    return 'user node, no capabilities, health check 0, a stop ends it with 0';
  });
  await check('it names what it is made of', async () => {
    const list = await engine.podman('run', '--rm', '--pull', 'never', 'tunemate', 'cat', 'sbom.cdx.json');
    const { components } = JSON.parse(list) as { components: { name: string }[] };
    const names = new Set(components.map(({ name }) => name));
    const absent = ['better-sqlite3', 'fastify', 'react', 'sharp'].filter((name) => !names.has(name));
    must(absent.length === 0, `its list lacks ${absent.join(', ')}`);
    return `${String(names.size)} packages in sbom.cdx.json`;
  });
  await check('a folder of another owner is refused with a clear line', async () => {
    const data = await folderOf(folder, 'other-owner', stranger);
    const { code, said } = await runToItsEnd(engine, { image: 'tunemate', data });
    must(code === 1 && said.includes('Check the rights of /data'), `exit ${String(code)}: ${said}`);
    return said.trim();
  });
  await check('the same folder works with `--user`', async () => {
    const data = await folderOf(folder, 'other-owner', stranger);
    const server = await startTunemate(engine, {
      image: 'tunemate',
      data,
      flags: ['--user', `${stranger}:${stranger}`],
    });
    await joinAsAnn(server);
    await server.stop();
    return `uid ${String(stranger)}`;
  });
  await check('data of the older image is upgraded', async () => {
    const data = await volume('upgrade');
    const before = await startTunemate(engine, { image: 'tunemate-older', data });
    const code = await makeRoom(before.url, await joinAsAnn(before));
    await before.stop();
    const after = await startTunemate(engine, { image: 'tunemate', data });
    await signInAsAnn(after.url);
    const rooms = await after.command('rooms', 'list');
    must(rooms.includes(code), `the room is gone:\n${rooms}`);
    await after.stop();
    const back = await engine.try('run', '--rm', '--pull', 'never', '--volume', `${data}:/data`, 'tunemate-older');
    must(back.code === 1 && back.said.includes('newer version'), `the older image answers: ${back.said}`);
    return 'account and room are there; the older image then refuses the database';
  });
  await check('a backup is made beside the server, and restored into an empty volume', async () => {
    const server = await startTunemate(engine, { image: 'tunemate', data: await volume('first') });
    await joinAsAnn(server);
    await server.command('backup', '/data/backup.tar.gz');
    const file = join(folder, 'backup.tar.gz');
    await engine.podman('cp', `${server.name}:/data/backup.tar.gz`, file);
    await server.stop();
    const { length } = await readFile(file);
    const data = await volume('second');
    const copied = ['--volume', `${data}:/data`, '--volume', `${file}:/backup.tar.gz:ro`];
    const restore = ['run', '--rm', '--pull', 'never', ...copied, 'tunemate', 'tunemate', 'restore', '/backup.tar.gz'];
    const unread = await engine.try(...restore);
    must(unread.said.includes('Check its rights'), `of a file that it may not read it says: ${unread.said}`);
    chmodSync(file, 0o644);
    await engine.podman(...restore);
    const again = await startTunemate(engine, { image: 'tunemate', data });
    await signInAsAnn(again.url);
    await again.stop();
    return `${String(Math.round(length / 1000))} kB; a file that the user of the image may not read is named`;
  });
}

async function folderOf(folder: string, name: string, uid: number): Promise<string> {
  const path = join(folder, name);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  chownSync(path, uid, uid);
  return path;
}

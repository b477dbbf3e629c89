/**
 * Makes the image that the Dockerfile begins with, where no registry of images can be reached: Debian by debootstrap,
 * with Node from the lock file, this machine's release of npm and the user `node`, under the name in `FROM`.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findOrInstall, findProgram } from '@tunemate/testkit/services/system-programs';
import { type Engine, ran } from './engine.ts';

/** What registries are trusted with on this machine; the real image brings its own. */
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/** Does nothing where the image is there already. */
export async function makeBaseImage(engine: Engine, folder: string, dockerfile: string): Promise<void> {
  const text = await readFile(dockerfile, 'utf8');
  const [, name = '', release = ''] = /^FROM (node:\d+-([a-z]+)-slim) AS/m.exec(text) ?? [];
  const tag = `docker.io/library/${name}`;
  if ((await engine.try('image', 'exists', tag)).code === 0) return;
  const debootstrap = findOrInstall(
    () => findProgram(['debootstrap'], ['/usr/sbin']),
    ['debootstrap'],
    'there is no debootstrap',
  );
  const root = join(folder, 'base');
  await rm(root, { recursive: true, force: true });
  const must = async (command: string, ...args: string[]) => {
    const { code, said } = await ran(command, args);
    if (code !== 0) throw new Error(`${command} failed:\n${said.slice(-3000)}`);
    return said.trim();
  };
  await must(debootstrap, '--variant=minbase', '--include=ca-certificates', release, root);
  // Not as the bundled Node of this process: it may be another one.
  await copyFile(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = await must('npm', '--version');
  await must('npm', 'install', '--global', '--prefix', join(root, 'usr/local'), `npm@${npm}`);
  await must('chroot', root, 'groupadd', '--gid', '1000', 'node');
  await must('chroot', root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node');
  await copyFile(certificates, join(root, certificates));
  await mkdir(join(root, 'usr/local/etc'), { recursive: true });
  await writeFile(join(root, 'usr/local/etc/npmrc'), `cafile=${certificates}\n`);
  const packed = join(folder, 'base.tar');
  await must('tar', '--create', '--one-file-system', '--directory', root, '--file', packed, '.');
  await engine.podman('import', '--change', 'CMD ["node"]', packed, tag);
  await rm(packed);
  await rm(root, { recursive: true });
}

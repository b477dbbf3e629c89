/**
 * A newer build without building: the files of the last one under other names, as other hashes would give them, and one
 * sentence that differs. Nothing of the build before is left, as after an update.
 */
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const built = join(import.meta.dirname, '../web/dist');

/** The English build as it is. */
export async function firstBuild(folder: string): Promise<void> {
  await cp(built, folder, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) });
}

/** Names every script and sheet anew and replaces `before` by `after` wherever it stands. */
export async function nextBuild(folder: string, before: string, after: string): Promise<void> {
  const assets = join(folder, 'assets');
  const names = (await readdir(assets)).filter((name) => /\.(?:js|css)$/.test(name));
  const renamed = new Map(
    names.map((name) => [name, name.replace(/.(?=\.\w+$)/, (last) => (last === '0' ? '1' : '0'))]),
  );
  for (const [name, next] of renamed) await rename(join(assets, name), join(assets, next));
  const pages = (await readdir(folder)).filter((name) => /\.(?:html|js)$/.test(name));
  const texts = [...pages, '.vite/served.json', ...[...renamed.values()].map((name) => `assets/${name}`)];
  for (const text of texts) {
    const path = join(folder, text);
    const old = await readFile(path, 'utf8');
    const next = old
      .replaceAll(/[\w.-]+-[\w-]{8}\.(?:js|css)/g, (name) => renamed.get(name) ?? name)
      .replaceAll(/tunemate-shell-\w+/g, (name) => `${name}0`)
      .replaceAll(before, after);
    await writeFile(path, next);
  }
}

/**
 * Builds the server into `server/dist`: our TypeScript and the packages it uses in a few files of JavaScript, so that a
 * start reads a few files instead of a thousand. Run by the pinned Node; nothing is minified, so that stacks can be read.
 */
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { inRoot, root } from './paths.mjs';

const programs = {
  main: 'built.ts',
  operate: 'operate.ts',
  'chats/pictures/image-worker': 'chats/pictures/image-worker.ts',
  'storage/sqlite/checkpoint-worker': 'storage/sqlite/checkpoint-worker.ts',
  'http/link-card-worker': 'http/link-card-worker.ts',
};
/** Packages that only exist to make others faster or are for other drivers; who looks for them goes on without. */
const absent = ['pg-native', 'bufferutil', 'utf-8-validate'];

/** What stays a package beside the server: what is compiled for a machine. */
export function separatePackages() {
  return Object.keys(JSON.parse(readFileSync(inRoot('server', 'package.json'), 'utf8')).dependencies);
}

/** Writes the programs and the licences of what is in them. */
export async function bundleServer(folder = inRoot('server', 'dist')) {
  const input = Object.fromEntries(
    Object.entries(programs).map(([name, path]) => [name, inRoot('server', 'src', ...path.split('/'))]),
  );
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external: [...separatePackages(), ...absent],
    logLevel: 'silent',
  });
  // Chunks lie beside the main program: `server/src/paths.ts` counts on the depth.
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[hash].js',
  });
  await bundle.close();
  const sources = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(folder, 'LICENSES.txt'), licences(sources));
}

/** The texts that packages ask to be kept with their code. */
function licences(sources) {
  const folders = new Set(sources.flatMap((path) => packageFolder(path) ?? []));
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
    const words = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...words].join('\n\n');
  });
  return `${texts.join(`\n\n${'-'.repeat(60)}\n\n`)}\n`;
}

/** The nearest folder above a module of node_modules whose package.json names it. */
function packageFolder(path) {
  if (!path.includes('/node_modules/')) return undefined;
  for (let folder = dirname(path); !folder.endsWith('/node_modules'); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return folder;
  }
  return undefined;
}

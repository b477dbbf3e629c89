/**
 * `npm run bench -- NAME`: runs a measurement of `bench/` under the pinned Node, on up-to-date builds. Without a name it
 * lists them, each with the first sentence of its file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { installIfNeeded } from './toolchain/install.mjs';
import { inRoot } from './toolchain/paths.mjs';
import { pinnedNode, requireNode20, serverFlags } from './toolchain/pinned-node.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { runThrough } from './toolchain/run-through.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(inRoot('bench')).flatMap((file) =>
  file.endsWith('.ts') ? [file.slice(0, -'.ts'.length)] : [],
);
if (!names.includes(name)) {
  if (name !== undefined) console.error(`There is no measurement '${name}'.`);
  for (const one of names.toSorted()) console.log(`npm run bench -- ${one.padEnd(12)} ${firstSentence(one)}`);
  process.exit(name === undefined ? 0 : 1);
}
requireNode20();
installIfNeeded();
const node = pinnedNode();
if (['sync', 'heard', 'youtube', 'web', 'attackers'].includes(name)) buildWebIfNeeded(node);
if (name === 'load') buildServerIfNeeded(node);
runThrough(node, [...serverFlags, `bench/${name}.ts`, ...rest]);

function firstSentence(one) {
  const head = readFileSync(inRoot('bench', `${one}.ts`), 'utf8').match(/^\/\*\*([\s\S]*?)\*\//)?.[1] ?? '';
  return (
    head
      .replaceAll(/\s*\n? \* ?|\s+/g, ' ')
      .trim()
      .split(/[.;] /)[0] ?? ''
  );
}

/**
 * `npm run bench -- NAME`: runs a measurement of `bench/` under the pinned Node, on up-to-date builds. Without a name it
 * lists them, each with the first sentence of its file; with `--help` behind a name it prints all that stands there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readyNode } from './toolchain/install.mjs';
import { inRoot } from './toolchain/paths.mjs';
import { serverFlags } from './toolchain/pinned-node.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { runThrough } from './toolchain/run-through.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

const [name, ...rest] = process.argv.slice(2);
/** One file each, or a folder that begins with `main.ts`. */
const programs = Object.fromEntries(
  readdirSync(inRoot('bench')).flatMap((entry) => {
    if (entry.endsWith('.ts')) return [[entry.slice(0, -'.ts'.length), `bench/${entry}`]];
    return existsSync(inRoot('bench', entry, 'main.ts')) ? [[entry, `bench/${entry}/main.ts`]] : [];
  }),
);
const names = Object.keys(programs);
if (!names.includes(name)) {
  if (name !== undefined) console.error(`There is no measurement '${name}'.`);
  for (const one of names.toSorted()) console.log(`npm run bench -- ${one.padEnd(12)} ${firstSentence(one)}`);
  process.exit(name === undefined ? 0 : 1);
}
if (rest.includes('--help')) {
  console.log(headOf(name));
  process.exit();
}
const node = readyNode();
if (['sync', 'heard', 'web', 'attackers', 'two'].includes(name)) buildWebIfNeeded(node);
if (['library', 'load'].includes(name)) buildServerIfNeeded(node);
runThrough(node, [...serverFlags, programs[name], ...rest]);

function headOf(one) {
  const head = readFileSync(inRoot(programs[one]), 'utf8').match(/^\/\*\*([\s\S]*?)\*\//)?.[1] ?? '';
  return head.replaceAll(/^ \* ?/gm, '').trim();
}

function firstSentence(one) {
  return headOf(one).replaceAll(/\s+/g, ' ').split(/[.;] /)[0] ?? '';
}

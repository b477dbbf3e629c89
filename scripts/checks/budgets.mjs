/**
 * What the web app may weigh, gzipped, at the first visit of a page: what is loaded before it can be used, its code and
 * that of its static imports. Reads the manifest that Vite writes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../toolchain/paths.mjs';

const kilobyte = 1000;

/** Pages that have a budget, by the sources of the chunks that each needs at once; the entry always comes with them. */
const pages = [
  { name: '/login', needs: [/\/LoginScreen\.tsx$/], limitKb: 92 },
  { name: 'a room', needs: [/\/RoomScreen\.tsx$/, /\/VisitHost\.tsx$/], limitKb: 143 },
];
const cssLimitKb = 23.5;

/**
 * @typedef {{ file: string, src?: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk
 * @typedef {{ name: string, kb: number, limitKb: number }} Weight
 */

/** The weight of each budgeted thing. @param {Record<string, Chunk>} manifest @param {(file: string) => number} gzipBytes */
export function weigh(manifest, gzipBytes) {
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  if (entry === undefined) throw new Error('the manifest has no entry');
  const sum = (files) => [...new Set(files)].reduce((bytes, file) => bytes + gzipBytes(file), 0) / kilobyte;
  const scripts = (keys) => sum(keys.map((key) => manifest[key].file).filter((file) => file.endsWith('.js')));

  const byPage = pages.map(({ name, needs, limitKb }) => {
    const chunks = needs.map((source) => {
      const chunk = Object.keys(manifest).find((key) => source.test(manifest[key].src ?? ''));
      if (chunk === undefined) throw new Error(`no chunk of its own for ${name} (looked for ${String(source)})`);
      return chunk;
    });
    const loaded = new Set([entry, ...chunks].flatMap((key) => [...withImports(manifest, key)]));
    return { name: `JavaScript of ${name}`, kb: scripts([...loaded]), limitKb };
  });
  const styles = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]);
  return [...byPage, { name: 'all CSS', kb: sum(styles.filter((file) => file.endsWith('.css'))), limitKb: cssLimitKb }];
}

/** A chunk and everything that it imports statically. */
function withImports(manifest, key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) withImports(manifest, next, seen);
  return seen;
}

/** Files that the server could only send as they are. @param {readonly string[]} files @param {(file: string) => boolean} isThere */
export function uncompressed(files, isThere) {
  const forms = files
    .filter((file) => /\.(?:js|css|html)$/.test(file))
    .flatMap((file) => ['br', 'gz'].map((form) => `${file}.${form}`));
  return forms.filter((form) => !isThere(form)).map((form) => `${form} was not built`);
}

/** Weighs web/dist. @returns {{ report: string[], problems: string[] }} */
export function budgetReport() {
  const manifest = JSON.parse(readFileSync(inRoot('web/dist/.vite/manifest.json'), 'utf8'));
  const weights = weigh(manifest, (file) => gzipSync(readFileSync(inRoot('web/dist', file)), { level: 9 }).length);
  const line = ({ name, kb, limitKb }) => `${name}: ${kb.toFixed(1)} kB of ${limitKb} kB gzip`;
  const tooHeavy = weights.filter(({ kb, limitKb }) => kb > limitKb).map(line);
  const files = [...new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]))];
  // The weights above are only what people load when the server finds them compressed.
  const pages = readdirSync(inRoot('web/dist')).filter((file) => file.endsWith('.html'));
  const asTheyAre = uncompressed([...pages, ...files], (file) => existsSync(inRoot('web/dist', file)));
  return { report: weights.map(line), problems: [...tooHeavy, ...asTheyAre] };
}

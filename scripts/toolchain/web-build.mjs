/** Builds the web app when web/dist is older than its sources. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { changedAtMs, inRoot } from './paths.mjs';
import { toolEnvironment } from './pinned-node.mjs';
import { toolScript } from './tools.mjs';

const madeFrom = [
  'web/src',
  'web/languages',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/bundling',
  'web/package.json',
  'protocol/src',
  'domain/src',
  'playback/src',
  'package-lock.json',
];

/** Builds with `node` if needed. Ends the program when the build fails. */
export function buildWebIfNeeded(node) {
  const pages = builtLanguages().map((language) => (language === 'en' ? 'index.html' : `${language}/index.html`));
  const builtAtMs = Math.min(...pages.map((page) => changedAtMs(inRoot('web', 'dist', page))));
  if (madeFrom.every((path) => changedAtMs(inRoot(path)) < builtAtMs)) return;
  console.log('Building the web app…');
  buildWeb(node);
}

/** What the build of a language reads; what is built is always for production, whatever asks for it. */
export function buildEnvironment(language) {
  return { TUNEMATE_LANGUAGE: language, NODE_ENV: 'production' };
}

/** Builds every language with `node`. Ends the program when a build fails. */
export function buildWeb(node) {
  for (const language of builtLanguages()) {
    const { status } = spawnSync(node, [toolScript('vite'), 'build', '--logLevel', 'warn'], {
      cwd: inRoot('web'),
      env: { ...toolEnvironment(), ...buildEnvironment(language) },
      stdio: 'inherit',
    });
    if (status === 0) continue;
    console.error('The web app could not be built. The reason is above.');
    process.exit(1);
  }
}

/** English, whose build empties the folder, and each language that has a catalogue. */
export function builtLanguages() {
  const catalogues = readdirSync(inRoot('web', 'languages')).filter((file) => file.endsWith('.po'));
  return ['en', ...catalogues.map((file) => file.slice(0, -'.po'.length))];
}

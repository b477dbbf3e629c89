/**
 * Brings node_modules to what package-lock.json says, and does nothing when it is there already.
 * Compares versions, not times: a checkout changes times without a reason.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot, root } from './paths.mjs';
import { pinnedNode, requireNode20 } from './pinned-node.mjs';

/** The full path of a Node that runs TypeScript, once everything is installed. Ends the program when there is none. */
export function readyNode() {
  requireNode20();
  installIfNeeded();
  return pinnedNode();
}

/** Runs `npm ci` if a package of the lock is missing or of another version. Ends the program when that fails. */
export function installIfNeeded() {
  if (isInstalled()) return;
  console.log('Installing what Tunemate is built with (npm ci)…');
  // The web app is built on this machine, so what builds it is wanted in production too.
  const { NODE_ENV: _, ...env } = process.env;
  // Its warnings are about packages and its own settings, not about anything that the reader could do.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  // A successful run prints only a count of packages, so output is shown only after a failure.
  const stdio = ['inherit', 'ignore', 'inherit'];
  const npm = process.env.npm_execpath;
  const { status } =
    npm === undefined
      ? spawnSync('npm', args, { cwd: root, env, stdio, shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [npm, ...args], { cwd: root, env, stdio });
  if (status === 0) return;
  console.error('npm ci failed, so Tunemate cannot go on. Its own words are above.');
  process.exit(1);
}

function isInstalled() {
  const wanted = packagesOf(inRoot('package-lock.json'));
  const present = packagesOf(inRoot('node_modules', '.package-lock.json'));
  if (wanted === undefined) return true;
  if (present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, link, optional, devOptional }]) => {
    if (!path.includes('node_modules/') || link) return true;
    // What is optional may be for another machine.
    return present[path]?.version === version || ((optional || devOptional) && present[path] === undefined);
  });
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

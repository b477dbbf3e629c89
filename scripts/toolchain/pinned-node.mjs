/**
 * Finds the Node that runs our TypeScript: the pinned one that `npm ci` brought, else a system Node that is new enough.
 * The first command of a fresh clone is run by whatever Node the machine has; 20 is enough for that.
 */
import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { inRoot } from './paths.mjs';

/**
 * How the server's Node is started: without `__proto__`, with room for no more headers than we ever need, and with 32 MB
 * for young objects: on a machine with much memory Node takes 128 MB for them, and stands still for longer to look
 * through them.
 */
export const serverFlags = ['--disable-proto=delete', '--max-http-header-size=16384', '--max-semi-space-size=16'];

const startsWith = [20, 0];
const runsTypeScript = [22, 18];

/** Ends the program with one clear sentence when this Node is too old even to install. */
export function requireNode20() {
  if (isAtLeast(process.versions.node, startsWith)) return;
  console.error(`Tunemate needs Node 20 or newer to start; this is ${process.versions.node}.`);
  process.exit(1);
}

/** The full path of a Node that runs TypeScript. Ends the program with one clear sentence when there is none. */
export function pinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const found = [...pinned(name), process.execPath, ...onPath].find(isNewEnough);
  if (found !== undefined) return found;
  console.error(
    `Tunemate runs on Node ${runsTypeScript.join('.')} or newer. The one that comes with it does not run on this ` +
      `machine (${process.platform} ${process.arch}), so please install one: https://nodejs.org`,
  );
  return process.exit(1);
}

/** Our environment with the pinned Node and the tools of node_modules first on the PATH, and with what was compiled kept. */
export function toolEnvironment() {
  return { ...withCompileCache(), PATH: [inRoot('node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter) };
}

/** Our environment with a folder where Node keeps compiled modules: the second start takes half the time of the first. */
export function withCompileCache() {
  return { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'node'), ...process.env };
}

function pinned(name) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  return [inRoot('node_modules', `node-${system}-${process.arch}`, 'bin', name)];
}

function isNewEnough(path) {
  try {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return isAtLeast(version.trim().replace('v', ''), runsTypeScript);
  } catch {
    return false;
  }
}

function isAtLeast(version, [major, minor]) {
  const [haveMajor = 0, haveMinor = 0] = version.split('.').map(Number);
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}

/**
 * What a production install brings beside the built server: the packages that `npm ci --omit=dev --workspace=server` puts
 * on one machine (Linux, x64, glibc), as package-lock.json says. Only what is compiled for a machine can't be built in.
 */
import { readFileSync } from 'node:fs';
import { inRoot } from '../toolchain/paths.mjs';

/** Lower it when packages go; a new package has to be worth a new number here. */
const mostPackages = 10;

const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/**
 * @typedef {{
 *   link?: boolean, resolved?: string, os?: string[], cpu?: string[], libc?: string[],
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 * }} Locked
 */

/** The paths of the packages that the server needs while it runs. @param {Record<string, Locked>} locked */
export function productionPackages(locked) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = locked[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = whereIs(locked, path, name);
      if (found !== undefined && fits(locked[found])) visit(found);
    }
  };
  visit('server');
  return [...seen].filter((path) => path.includes('node_modules/'));
}

/** Where `name` is for a file at `path`, as Node looks for it; a link of a workspace is followed. */
function whereIs(locked, path, name) {
  for (let folder = path; ; folder = folder.split('/').slice(0, -1).join('/')) {
    const here = [folder, 'node_modules', name].filter((part) => part !== '').join('/');
    if (locked[here] !== undefined) return locked[here].link ? locked[here].resolved : here;
    if (folder === '') return undefined;
  }
}

function fits(one) {
  return Object.entries(machine).every(([kind, ours]) => one[kind]?.includes(ours) ?? true);
}

/** Types and what only the pages need are not for a server, and the number is not to grow unseen. */
export function productionProblems(locked = readLock(), most = mostPackages) {
  const found = productionPackages(locked);
  if (found.length <= most) return [];
  return [`${found.length} packages, the limit is ${most} (scripts/checks/production.mjs): ${found.join(', ')}`];
}

function readLock() {
  return JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;
}

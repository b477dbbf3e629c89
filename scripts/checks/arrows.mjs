/** Checks that imports follow the arrows of `arrows-table.mjs` and reach another workspace by its name. */
import { arrows, features, usedByAll, uses } from './arrows-table.mjs';
import { importsOf } from './imports.mjs';
import { isTest, isTestSupport } from './sources.mjs';

const isModule = (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts');
const workspaceOf = (path) => path.slice(0, path.indexOf('/'));
const products = new Set(['playback', 'protocol', 'domain', 'server', 'web']);

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function forbiddenImports(sources) {
  const modules = sources
    .filter(({ path }) => isModule(path) && products.has(workspaceOf(path)))
    .map((source) => ({ path: source.path, imports: importsOf(source) }));
  return modules.flatMap(({ path, imports }) =>
    imports.flatMap((one) => brokenArrows(path, one).map((name) => `${path}:${one.line}: ${one.target} (${name})`)),
  );
}

/** `server/src` and `rooms` of `server/src/rooms/join/join-requests.ts`; no folder for a file beside the folders. */
function folderOf(path) {
  const parts = path.split('/');
  return [parts.slice(0, 2).join('/'), parts.length > 3 ? parts[2] : undefined];
}

function brokenArrows(path, { target, typeOnly, isRelative }) {
  const feature = features.find((one) => path.split('/')[2] === one);
  const fill = (pattern) => new RegExp(pattern.replaceAll('<feature>', feature ?? '(?!)'));
  const isOfTests = isTest(path) || isTestSupport(path);
  const broken = arrows.filter(({ from, only, never, typesOnly, alsoTests = false }) => {
    if ((isOfTests && !alsoTests) || !fill(from).test(path)) return false;
    if (only !== undefined && !fill(only).test(target)) return true;
    if (never !== undefined && fill(never).test(target)) return true;
    return typesOnly !== undefined && !typeOnly && fill(typesOnly).test(target);
  });
  if (isOfTests) return broken.map(({ name }) => name);
  const [from, folder] = folderOf(path);
  const [to, other] = folderOf(target);
  const mayUse = uses[from]?.[folder];
  const isUnlisted = from === to && other !== folder && mayUse !== undefined && other !== undefined;
  const crossesWorkspaceByPath = isRelative && workspaceOf(target) !== workspaceOf(path);
  return [
    ...broken.map(({ name }) => name),
    ...(isUnlisted && !usedByAll.has(other) && !mayUse.includes(other) ? [`${folder} does not use ${other}`] : []),
    ...(crossesWorkspaceByPath ? ['another workspace is imported by its name'] : []),
  ];
}

/** Reads what a file imports: static, dynamic and re-exports, with the places they lead to. */
import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * @typedef {object} Import
 * @property {string} target a path from the root, `node:fs` or `npm:react`
 * @property {boolean} typeOnly true when nothing of it is left at run time
 * @property {boolean} isRelative true for `./…` and `../…`
 * @property {number} line
 */

/** Every import of a file. @param {import('./sources.mjs').Source} source @returns {Import[]} */
export function importsOf({ path, text }) {
  // Of a file that does not parse, the readable part is checked; the type check reports the error.
  const { module } = parseSync(path, text);
  const fromImports = module.staticImports.map(({ start, moduleRequest, entries }) => ({
    start,
    request: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  const fromExports = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest }) => moduleRequest !== null)
    .map(({ start, moduleRequest, isType }) => ({ start, request: moduleRequest.value, typeOnly: isType }));
  const fromCalls = module.dynamicImports.map(({ start, moduleRequest }) => ({
    start,
    request: text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
    typeOnly: false,
  }));
  return [...fromImports, ...fromExports, ...fromCalls].map(({ start, request, typeOnly }) => ({
    target: targetOf(path, request),
    typeOnly,
    isRelative: request.startsWith('.'),
    line: text.slice(0, start).split('\n').length,
  }));
}

function targetOf(path, request) {
  if (request.startsWith('.')) return posix.normalize(posix.join(posix.dirname(path), request));
  if (request.startsWith('node:')) return request;
  const [, workspace, part] = /^@tunemate\/([^/]+)(?:\/(.+))?$/.exec(request) ?? [];
  if (workspace !== undefined) return `${workspace}/src/${part ?? 'index'}.ts`;
  return `npm:${request}`;
}

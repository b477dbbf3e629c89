/**
 * Holds that every setting of the server can be set wherever Tunemate is started: both Compose files pass it on, the unit
 * of systemd reads a file of settings, and configuration.md explains it. And that such a place names no setting that
 * there is not: it would be typed in vain.
 */
import { readFileSync } from 'node:fs';
import { inRoot } from '../toolchain/paths.mjs';

const declaredIn = 'server/src/config.ts';
const image = 'Dockerfile';
const unit = 'docs/operating.md';
const table = 'docs/configuration.md';
/** What each Compose file asks of its reader besides, and what it gives to other programs. */
const composeFiles = {
  'compose.yaml': [],
  'compose.cluster.yaml': ['DOMAIN', 'POSTGRES_PASSWORD', 'POSTGRES_USER', 'REDIS_PASSWORD', 'REDISCLI_AUTH'],
};
/** A variable of Node. */
const notOurs = ['NODE_ENV'];

const namesIn = (text, pattern) => [...new Set([...(text ?? '').matchAll(pattern)].map(([, name]) => name))];

/** @param {(path: string) => string} read the text of a file @returns {string[]} */
export function settingProblems(read) {
  const [, declared] = /\nconst meanings\b[^{]*\{\n([\s\S]*?)\n\};/.exec(read(declaredIn)) ?? [];
  const settings = namesIn(declared, /^ {2}([A-Z]\w*):/gm);
  if (settings.length === 0) return [`${declaredIn}: no setting found; the check has lost its table`];
  const unknown = (path, names, also = []) =>
    names
      .filter((name) => ![...settings, ...notOurs, ...also].includes(name))
      .map((name) => `${path}: ${name} is no setting of the server`);
  const missing = (path, names) =>
    settings.filter((name) => !names.includes(name)).map((name) => `${path}: the setting ${name} has no place`);

  const byImage = namesIn(/^ENV ((?:.*\\\n)*.*)$/m.exec(read(image))?.[1], /([A-Z]\w*)=/g);
  const compose = Object.entries(composeFiles).flatMap(([path, also]) => {
    const text = read(path);
    const [given, asked] = [namesIn(text, /^ +([A-Z]\w*): /gm), namesIn(text, /\$\{([A-Z]\w*)/g)];
    // What the image sets is of the inside of the container alone.
    return [...missing(path, [...given, ...asked, ...byImage]), ...unknown(path, [...given, ...asked], also)];
  });
  const [, ofUnit = ''] = /```ini\n(\[Unit\][\s\S]*?)```/.exec(read(unit)) ?? [];
  const inUnit = namesIn(namesIn(ofUnit, /^Environment=(.*)$/gm).join(' '), /([A-Z]\w*)=/g);
  const explained = namesIn(namesIn(read(table), /^\| (`[^|]*)\|/gm).join(' '), /`([A-Z]\w*)`/g);
  return [
    ...unknown(image, byImage),
    ...compose,
    ...(/^EnvironmentFile=/m.test(ofUnit) ? [] : [`${unit}: the unit reads no file of settings (EnvironmentFile=)`]),
    ...unknown(unit, inUnit),
    ...missing(table, explained),
    ...unknown(table, explained),
  ];
}

/** What this repository says. @returns {string[]} */
export const settingProblemsHere = () => settingProblems((path) => readFileSync(inRoot(path), 'utf8'));

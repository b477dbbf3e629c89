/** What a server logged, in words that may stand in a table: no stack, no time, no folder of the machine it ran on. */
import { homedir, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';

const levels: Record<number, string> = { 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' };
const entry = z.object({
  level: z.number(),
  msg: z.string().optional(),
  err: z.object({ message: z.string(), code: z.string().optional() }).optional(),
});

/** Where this machine keeps things; a file's own name may be logged, and its folders not. */
const ownFolders = [resolve(import.meta.dirname, '../..'), tmpdir(), homedir()];
const escaped = ownFolders.map((folder) => folder.replaceAll(/[^\w/-]/gu, String.raw`\$&`));
const ownPath = new RegExp(`(?:${escaped.join('|')})/(?:[^\\s/'"):]+/)*`, 'gu');

/** `line` of the log in a few words: level, event and message. */
export function inShort(line: string): string {
  const parsed = entry.safeParse(asJson(line));
  if (!parsed.success) return withoutPaths(line);
  const { level, msg, err } = parsed.data;
  const words = [levels[level] ?? String(level), msg, err?.message, err?.code];
  return withoutPaths(words.filter((word) => word !== undefined && word !== '').join(': '));
}

/** The same text without the folders of this machine. */
export function withoutPaths(text: string): string {
  return text.replaceAll(ownPath, '');
}

function asJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

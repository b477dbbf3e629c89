/** Reads a table of a document of this repository, so that a test can hold it against the code. */
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The rows of the first table below this heading, without its head; code marks are taken off. */
export function documentTable(path: string, heading: string): string[][] {
  const text = readFileSync(new URL(path, root), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  if (lines.length < 3) throw new Error(`${path} has no table under "${heading}"`);
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** Tables of a document of this repository: read, so that a test can hold one against the code, or made from the code. */
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** Where the section of this heading begins, at whatever level. @throws when there is none */
function sectionAt(text: string, heading: string): number {
  const at = Math.max(text.indexOf(`\n## ${heading}\n`), text.indexOf(`\n### ${heading}\n`));
  if (at === -1) throw new Error(`the document has no heading "${heading}"`);
  return at + 1;
}

/** The rows of the first table below this heading, without its head; code marks are taken off. */
export function documentTable(path: string, heading: string): string[][] {
  const text = readFileSync(new URL(path, root), 'utf8');
  const [, section = ''] = text.slice(sectionAt(text, heading)).split(/^#+ .*$/m);
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  if (lines.length < 3) throw new Error(`${path} has no table under "${heading}"`);
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** A line of a table, padded as the formatter does. */
const lineOf = (cells: readonly string[], widths: readonly number[]) =>
  `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;

/** The document with these rows in place of those of the first table below each heading; its head stays. */
export function documentWith(path: string, tables: Record<string, readonly (readonly string[])[]>): string {
  let text = readFileSync(new URL(path, root), 'utf8');
  for (const [heading, rows] of Object.entries(tables)) {
    const from = text.indexOf('\n|', sectionAt(text, heading)) + 1;
    const to = text.indexOf('\n\n', from);
    const [head = ''] = text.slice(from).split('\n', 1);
    const cells = head
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const widths = cells.map((cell, index) =>
      Math.max(3, cell.length, ...rows.map((row) => (row[index] ?? '').length)),
    );
    const lines = [cells, widths.map((width) => '-'.repeat(width)), ...rows].map((row) => lineOf(row, widths));
    text = text.slice(0, from) + lines.join('\n') + (to === -1 ? '\n' : text.slice(to));
  }
  return text;
}

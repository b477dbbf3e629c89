/** What the build makes of the sheets: short names, no needless spaces, and left and right in each other's place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Names the classes of a sheet one by one where they are used, so that the code holds the short names and no table of
 * them. A class that is looked up by a variable needs the table.
 */
export function namesOfClasses(): Plugin[] {
  return [
    {
      name: 'names-of-classes',
      apply: 'build',
      enforce: 'pre',
      transform: {
        filter: { id: /[\\/]web[\\/]src[\\/].*\.tsx$/, code: /\.module\.css'/ },
        handler(text) {
          const byName = text.replaceAll(/^import (\w+) (?=from '[^']*\.module\.css')/gm, (all, name: string) =>
            text.includes(`${name}[`) ? all : `import * as ${name} `,
          );
          return { code: byName, map: null };
        },
      },
    },
    {
      name: 'kept-sheets',
      apply: 'build',
      enforce: 'post',
      // With every name written where it is used, nothing would seem to use the sheet.
      transform: {
        filter: { id: /\.module\.css$/ },
        handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
      },
    },
  ];
}

/**
 * Names the classes of all sheets in their order, as short as their number allows: a hash can't be compressed. The same
 * sources give the same names.
 */
export function shortName(): (name: string, file: string) => string {
  const numbers = new Map<string, number>();
  const folder = join(import.meta.dirname, '..', 'src');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!file.endsWith('.module.css')) continue;
    const sheet = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    for (const [, name = ''] of sheet.matchAll(/\.([a-zA-Z][\w-]*)/g)) {
      const key = `${join(folder, file)} ${name}`;
      if (!numbers.has(key)) numbers.set(key, numbers.size);
    }
  }
  return (name, file) => {
    const key = `${file.split('?', 1)[0] ?? ''} ${name}`;
    // Animations and the like are named by no selector.
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return letters(number);
  };
}

/** 0 is `b`, 25 is `bb`. No name holds an a: blockers of advertising hide `ad`. */
function letters(number: number): string {
  const last = String.fromCodePoint(98 + (number % 25));
  return number < 25 ? last : letters(Math.floor(number / 25) - 1) + last;
}

/** Takes out the space behind a comma, which the minifier leaves where a value holds a variable. */
export function closeCommas(): Plugin {
  return {
    name: 'close-commas',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
          const sheet = Buffer.from(file.source).toString();
          file.source = sheet.replaceAll(/"[^"]*"|, /g, (found) => (found === ', ' ? ',' : found));
        }
      },
    },
  };
}

/** What rtlcss leaves as it is: four values of `inset`, of which the second is the right and the fourth the left. */
export const mirroredInset = {
  postcssPlugin: 'mirrored-inset',
  // Once for each sheet: a changed declaration would be visited again.
  Once(sheet: { walkDecls: (name: string, visit: (one: Declaration) => void) => void }): void {
    sheet.walkDecls('inset', (one) => {
      const [top, right, bottom, left, ...more] = partsOf(one.value);
      if (left === undefined || more.length > 0 || one.prev()?.text?.includes('rtl:ignore')) return;
      one.value = [top, left, bottom, right].join(' ');
    });
  },
};

interface Declaration {
  value: string;
  prev: () => { readonly text?: string } | undefined;
}

/** The values of a shorthand: spaces inside of brackets divide none. */
function partsOf(value: string): string[] {
  let depth = 0;
  let part = '';
  const parts: string[] = [];
  for (const letter of value) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter !== ' ' || depth > 0) part += letter;
    else {
      parts.push(part);
      part = '';
    }
  }
  return [...parts, part].filter(Boolean);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as lucide from 'lucide-react';
import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import createIcon, { type Drawing } from './lucide-icon.ts';
import { drawingAlone } from './lucide-icons.ts';

const source = join(import.meta.dirname, '..', 'src');

/** The names of lucide's drawings that the app imports. */
const used = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => [...readFileSync(join(source, file), 'utf8').matchAll(/import \{([^}]*)\} from 'lucide-react'/g)])
  .flatMap(([, names = '']) => names.split(','))
  .map((name) => name.trim().replace(/ as \w+$/, ''))
  .filter((name) => name !== '' && !name.startsWith('type '));

/** The attributes may come in another order. */
const sorted = (markup: string): string =>
  markup.replaceAll(/<(\w+)((?: [\w-]+="[^"]*")*)/g, (_all, tag: string, attributes: string) =>
    [tag, ...(attributes.match(/[\w-]+="[^"]*"/g) ?? []).toSorted()].join(' '),
  );

const index = readFileSync(
  new URL('lucide-react.mjs', import.meta.resolve('lucide-react/icons/x').replace('icons/', '')),
  'utf8',
);
/** Lucide has several names for a drawing, and one file. */
const fileOf = (name: string): string => {
  const line = index.split('\n').find((one) => new RegExp(`default as ${name}\\b`).test(one)) ?? '';
  const found = /icons\/([\w-]+)\.mjs/.exec(line)?.[1];
  if (found === undefined) throw new Error(name);
  return found;
};

test('every drawing that the app uses is drawn as lucide draws it', async () => {
  expect(used.length).toBeGreaterThan(40);
  for (const name of used) {
    const theirs = (lucide as unknown as Record<string, ComponentType<object>>)[name];
    if (theirs === undefined) throw new Error(`lucide has no ${name}`);
    const { __iconData } = (await import(`lucide-react/icons/${fileOf(name)}`)) as { __iconData: Drawing };
    const ours = createIcon(__iconData);
    for (const props of [
      { size: 20, strokeWidth: 1.8, absoluteStrokeWidth: false, 'aria-hidden': true },
      { size: 40, strokeWidth: 1.8, absoluteStrokeWidth: true, 'aria-hidden': true },
      { size: 18, fill: 'currentColor', 'aria-hidden': true },
    ] as const) {
      const drawn = (icon: ComponentType<object>) => sorted(renderToStaticMarkup(createElement(icon, props)));
      expect(drawn(ours as ComponentType<object>), name).toBe(drawn(theirs));
    }
  }
});

test('a drawing as it is built has no keys, and is the same drawing', async () => {
  const keyless = (one: Drawing): unknown =>
    JSON.parse(JSON.stringify(one, (name, value: unknown) => (name === 'key' ? undefined : value)));
  for (const file of new Set(used.map(fileOf))) {
    const address = import.meta.resolve(`lucide-react/icons/${file}`);
    const built = drawingAlone(readFileSync(new URL(address), 'utf8')).replace(/^import .*$/m, '');
    const [, data = ''] = /^const __iconData = (\{[^]*?^\});$/m.exec(built) ?? [];
    const { __iconData } = (await import(`lucide-react/icons/${file}`)) as { __iconData: Drawing };
    const drawing = (await import(`data:text/javascript,export default ${encodeURIComponent(data)}`)) as {
      default: Drawing;
    };
    expect(drawing.default, file).toEqual(keyless(__iconData));
    expect(built.match(/__iconData/g), file).toHaveLength(3);
  }
});

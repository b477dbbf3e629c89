/**
 * React is published as modules of the old kind: a bundler can leave out nothing of them, and each use looks its name up
 * in an object. This says the same in modules of the new kind, which weigh 4 kB less.
 */
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The one file that a browser needs of each. */
const files: Readonly<Record<string, string>> = {
  react: 'react/cjs/react.production.js',
  'react/jsx-runtime': 'react/cjs/react-jsx-runtime.production.js',
  'react-dom': 'react-dom/cjs/react-dom.production.js',
  'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
  scheduler: 'scheduler/cjs/scheduler.production.js',
  // For React before 18; since then it has this itself.
  'use-sync-external-store/shim/index.js': 'react/cjs/react.production.js',
};

export function reactAsModules(): Plugin {
  return {
    name: 'react-as-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(id) {
      const file = files[id];
      return file === undefined ? null : join(import.meta.dirname, '..', '..', 'node_modules', file);
    },
    // What the scheduler lacks outside of its tests, React asks for.
    onLog: (_level, { code, id = '' }) => (code === 'IMPORT_IS_UNDEFINED' && id.includes('react-dom') ? false : null),
    transform: {
      filter: { id: /[\\/](?:react|react-dom|scheduler)[\\/]cjs[\\/][^\\/]+\.production\.js$/ },
      handler: (text, id) => asModule(id, text),
    },
  };
}

/** A file with `exports.name = …` and `require("…")`, as one with `export` and `import`. */
export function asModule(id: string, text: string): string {
  const imports: string[] = [];
  const names = new Set<string>();
  const code = text
    .replaceAll(/^var(?:\s+\w+ = require\("[\w-]+"\)[,;])+/gm, (all) => {
      for (const [, name = '', source = ''] of all.matchAll(/(\w+) = require\("([\w-]+)"\)/g))
        imports.push(`import * as ${name} from "${source}";`);
      return '';
    })
    .replaceAll(/^exports\.(\w+) =/gm, (_all, name: string) => {
      names.add(name);
      return `var exported_${name} =`;
    })
    .replaceAll(/\bexports\.(\w+)/g, 'exported_$1');
  if (/\b(?:require\(|exports\b)/.test(code)) throw new Error(`${id} is not written as this reads it`);
  const exported = [...names].map((name) => `exported_${name} as ${name}`);
  return `${imports.join('\n')}\n${code}\nexport { ${exported.join(', ')} };\n`;
}

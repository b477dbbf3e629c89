/** How the web app is built and served in development. Knows the server's address and paths, not its meaning. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, type ZlibOptions } from 'node:zlib';
import react from '@vitejs/plugin-react';
import rtlcss from 'rtlcss';
import { defineConfig, type Plugin, type Rollup } from 'vite';
import { entryModules, groups } from './bundling/files.ts';
import { lucideIcons } from './bundling/lucide-icons.ts';
import { closeCommas, mirroredInset, namesOfClasses, shortName } from './bundling/sheets.ts';
import { isRightToLeft, readCatalogue, translated, translatedPlain } from './languages/translate.mjs';

/** Where `npm run dev` finds the server. */
const server = process.env['TUNEMATE_SERVER'] ?? 'http://localhost:3000';

/** The language of this build; `npm run build` makes one of each. */
const language = process.env['TUNEMATE_LANGUAGE'] ?? 'en';

const catalogue = readCatalogue(language);
/** Files of the same name in each language carry it in their names; English needs none. */
const ofLanguage = language === 'en' ? '' : `.${language}`;

/** Writes the sentences of the language into the code and the pages. */
function sentencesOfLanguage(): Plugin {
  return {
    name: 'sentences-of-language',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]web[\\/]src[\\/].*\.tsx?$/ },
      handler: (text, id) => translated(id, text, catalogue),
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        translatedPlain('index.html', html, catalogue)
          .replace('lang="en"', `lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}`)
          .replace('/manifest.webmanifest', `/manifest${ofLanguage}.webmanifest`),
    },
  };
}

/** Puts the pages of each language but English into a folder of their own; what the pages load lies in one folder. */
function pagesOfLanguage(): Plugin {
  return {
    name: 'pages-of-language',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      if (language === 'en') return;
      for (const asset of Object.values(bundle)) {
        if (asset.type === 'asset' && asset.fileName.endsWith('.html'))
          asset.fileName = `${language}/${asset.fileName}`;
      }
    },
    writeBundle({ dir = '' }) {
      const manifest = readFileSync(join(import.meta.dirname, 'public', 'manifest.webmanifest'), 'utf8');
      writeFileSync(
        join(dir, `manifest${ofLanguage}.webmanifest`),
        translatedPlain('public/manifest.webmanifest', manifest, catalogue),
      );
    },
  };
}

/** Files of the typeface are named by the letters they hold. */
const scriptOf = (file: string): string => /latin(?:-ext)?(?=-wdth)/.exec(file)?.[0] ?? '[name]';

/** What the app asks for before it shows anything: asked for with the page, so that the answers come with its scripts. */
function preloadAnswers(): Plugin {
  const answers = ['/api/session', '/api/config'];
  return {
    name: 'preload-answers',
    apply: 'build',
    transformIndexHtml: () =>
      answers.map((href) => {
        return { tag: 'link', attrs: { rel: 'preload', as: 'fetch', href, crossorigin: true }, injectTo: 'head' };
      }),
  };
}

/** What the screens of some addresses need beyond the app. The server knows which address gets which page. */
const screenCode: Readonly<Record<string, readonly RegExp[]>> = {
  'room.html': [/[\\/]RoomScreen\.tsx$/, /[\\/]VisitHost\.tsx$/],
  'home.html': [/[\\/]HomeScreen\.tsx$/],
  'chat.html': [/[\\/]ChatScreen\.tsx$/],
};

/** The same page for these addresses: it asks for the code of their screen at once, not when the app finds out. */
function pagesOfScreens(): Plugin {
  return {
    name: 'pages-of-screens',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      const html = String(page.source);
      for (const [fileName, modules] of Object.entries(screenCode)) {
        const links = withImports(bundle, modules)
          .filter((file) => !html.includes(file))
          .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
        this.emitFile({ type: 'asset', fileName, source: html.replace('</head>', `${links.join('')}</head>`) });
      }
    },
  };
}

/** The files of the lazily loaded modules of these names, and of everything that they import at once. */
function withImports(bundle: Rollup.OutputBundle, modules: readonly RegExp[]): string[] {
  const files = new Set<string>();
  const add = (file: string): void => {
    const chunk = bundle[file];
    if (files.has(file) || chunk?.type !== 'chunk') return;
    files.add(file);
    chunk.imports.forEach(add);
  };
  for (const name of modules) {
    const found = Object.values(bundle).find(
      (chunk) => chunk.type === 'chunk' && name.test(chunk.facadeModuleId ?? ''),
    );
    if (found === undefined) throw new Error(`No file of the build begins with ${String(name)}`);
    add(found.fileName);
  }
  return [...files];
}

/** Vite's helper fetches the style sheet and the imports of a lazy file ahead. Here is one sheet, and imports are not named. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load();',
    },
  };
}

/** Gives the worker (public/worker.js) the names of the files that a page may need without a network. */
function filesOfWorker(): Plugin {
  return {
    name: 'files-of-worker',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir = '' }, bundle) {
      const isNeeded = /\.(?:js|css)$|\/latin-[^/]*\.woff2$/;
      const files = Object.keys(bundle)
        .filter((file) => file.startsWith('assets/') && isNeeded.test(file))
        .map((file) => `/${file}`)
        .toSorted();
      const hash = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
      const shell = JSON.stringify({ name: `tunemate-shell-${hash}`, language, files });
      const source = readFileSync(join(import.meta.dirname, 'public', 'worker.js'), 'utf8');
      const worker = translated('public/worker.js', source, catalogue)?.code ?? source;
      writeFileSync(join(dir, `worker${ofLanguage}.js`), `self.tunemateShell=${shell};\n${worker}`);
    },
  };
}

const [asBrotli, asGzip] = [promisify(brotliCompress), promisify<Buffer, ZlibOptions, Buffer>(gzip)];

/** What the server sends a browser that reads it: a third of the bytes, made once instead of at each visit. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((name) => /\.(?:js|css|html|txt)$/.test(name));
      await Promise.all(files.map((file) => compress(join(dir, file), file.startsWith('assets/'))));
    },
  };
}

/** A name with a hash stands for its bytes: such a file may be there from another language. */
async function compress(path: string, hasHash: boolean): Promise<void> {
  // Browsers read Brotli from https and localhost alone.
  const [brotli, zipped] = [`${path}.br`, `${path}.gz`];
  if (hasHash && existsSync(brotli) && existsSync(zipped)) return;
  const bytes = readFileSync(path);
  writeFileSync(brotli, await asBrotli(bytes));
  writeFileSync(zipped, await asGzip(bytes, { level: 9 }));
}

/** Lists what the server may serve: nothing else that lies in the folder, such as the manifest of the build. */
function servedFiles(): Plugin {
  return {
    name: 'served-files',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir = '' }, bundle) {
      const built = Object.keys(bundle).filter((file) => !file.startsWith('.'));
      const own = [`worker${ofLanguage}.js`, `manifest${ofLanguage}.webmanifest`];
      const path = join(dir, '.vite', 'served.json');
      const others = language === 'en' ? readdirSync(join(import.meta.dirname, 'public')) : readList(path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify([...new Set([...others, ...own, ...built])].toSorted()));
    },
  };
}

const readList = (path: string): string[] => JSON.parse(readFileSync(path, 'utf8')) as string[];

export default defineConfig({
  plugins: [
    sentencesOfLanguage(),
    namesOfClasses(),
    closeCommas(),
    lucideIcons(),
    entryModules(),
    react(),
    plainImports(),
    preloadAnswers(),
    pagesOfScreens(),
    pagesOfLanguage(),
    filesOfWorker(),
    compressed(),
    servedFiles(),
  ],
  css: {
    modules: { generateScopedName: shortName() },
    // Left and right change places. Sheets of what runs from left to right in every language say so (`rtl:ignore`).
    postcss: { plugins: isRightToLeft(language) ? [mirroredInset, rtlcss()] : [] },
  },
  build: {
    outDir: 'dist',
    // English is built first (scripts/toolchain/web-build.mjs).
    emptyOutDir: language === 'en',
    copyPublicDir: language === 'en',
    manifest: language === 'en' ? true : `.vite/manifest.${language}.json`,
    sourcemap: false,
    // One sheet weighs two thirds of thirty small ones, and no screen waits for its looks.
    cssCodeSplit: false,
    target: 'baseline-widely-available',
    // Chromium reads `mask` without a prefix since 120; before, edges do not fade.
    cssTarget: ['chrome120', 'edge120', 'firefox121', 'safari16.4', 'ios16.4'],
    // Without `polyfill`: a browser that can not preload modules loads them a moment later.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, deps, { hostType }) => (hostType === 'js' ? [] : deps),
    },
    // hls.js is one file, fetched with the first stream; what pages load at once has budgets of its own.
    chunkSizeWarningLimit: 600,
    // The CSP has no data: source, so nothing may be inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // On a slow machine the first `npm start` would print where the build spent its time.
      checks: { pluginTimings: false },
      // A number or a word weighs less where it is used than under a name that one file gives another.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        codeSplitting: { groups },
        assetFileNames: ({ names: [name = ''] }) => `assets/${scriptOf(name)}-[hash][extname]`,
      },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/media': server,
      '/socket': { target: server, ws: true },
    },
  },
});

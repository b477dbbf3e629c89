/** How the web app is built and served in development. Knows the server's address and paths, not its meaning. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import rtlcss from 'rtlcss';
import { defineConfig, type Plugin, type Rollup } from 'vite';
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

/** Asks for the latin font with the page, so text settles before the scripts arrive. */
function preloadTypeface(): Plugin {
  return {
    name: 'preload-typeface',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((name) => /special-gothic-latin-wdth[^/]*\.woff2$/.test(name));
        if (font === undefined) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: true };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

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

/** The line to the server. */
const socket = /[\\/]socket\.io-client[\\/]/;
/** What the screens of some addresses need beyond the app. The server knows which address gets which page. */
const screenCode: Readonly<Record<string, readonly RegExp[]>> = {
  'room.html': [/[\\/]RoomScreen\.tsx$/, /[\\/]VisitHost\.tsx$/, socket],
  'home.html': [/[\\/]HomeScreen\.tsx$/, socket],
  'chat.html': [/[\\/]ChatScreen\.tsx$/, socket],
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
  for (const [file, chunk] of Object.entries(bundle)) {
    if (chunk.type === 'chunk' && modules.some((name) => name.test(chunk.facadeModuleId ?? ''))) add(file);
  }
  return [...files];
}

/** Gives the worker (public/worker.js) the names of the files that a page may need without a network. */
function filesOfWorker(): Plugin {
  return {
    name: 'files-of-worker',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir = '' }, bundle) {
      const isNeeded = /\.(?:js|css)$|-latin-[^/]*\.woff2$/;
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

/** What the server sends a browser that reads it: a third of the bytes, made once instead of at each visit. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir = '' }, bundle) {
      for (const file of Object.keys(bundle).filter((name) => /\.(?:js|css|html)$/.test(name))) {
        const path = join(dir, file);
        const bytes = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
        // Browsers read Brotli from https and localhost alone.
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
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

/** Of the shared modules, those that nobody needs before signing in. */
const inside =
  /[\\/]web[\\/]src[\\/](?:rooms[\\/](?!visit[\\/]current)|tunemates[\\/](?!use-)|(?:chats|people)[\\/][^\\/]*-words|ui[\\/](?:records[\\/](?!Vinyl)|lists|use-picture|icons[\\/](?:marks|film-icons|inside-icons)))/;
/** Those of signing in, which no room needs. */
const forms =
  /[\\/]web[\\/]src[\\/](?:accounts[\\/]account-words|store[\\/]use-busy|ui[\\/](?:buttons[\\/]ButtonGroup|feedback[\\/]Note|fields[\\/](?:Form|Text|Password)|layout[\\/]MeetingRecords))/;
/** Those that neither signing in nor a room needs, before something in it is opened. */
const elsewhere =
  /[\\/]web[\\/]src[\\/](?:soulmate|ui[\\/](?:copy-text|dialogs[\\/]Sheet|fields[\\/]RadioRows|icons[\\/]page-icons|layout[\\/]TaskPage))/;
/** Small ones that a room shares with a page or two: each in a file of its own would weigh more than it says. */
const ofRooms =
  /[\\/]web[\\/]src[\\/](?:words[\\/](?:home|dates)|messages[\\/]outbox|notifications[\\/]notification-words|playback[\\/](?:clock-sync|playback-view)|rooms[\\/](?:chat[\\/]RoomChat\.module|join[\\/]CodeTiles)|ui[\\/](?:buttons[\\/]Badge|lists[\\/](?:Row|Section)))/;
/** Imports what the entry holds: a file of shared ones would take that with it, and every page would load the file. */
const alone = /[\\/]tunemates[\\/]use-tunemate-actions/;
/** Small modules that several screens share: few files, because each file more costs a far visitor a way there and back. */
const shared = { test: /[\\/](?:web[\\/]src|protocol)[\\/]/, minShareCount: 4, maxModuleSize: 6000 };
/** The first takes a module and, with it, what it imports. */
const groups = [
  // What loads parts belongs to no part: a page would load the first one for it.
  { name: 'parts', test: /vite[\\/]preload-helper|[\\/]store[\\/]lazy-part/, priority: 4 },
  {
    ...shared,
    name: 'parts',
    test: (id: string) =>
      shared.test.test(id) && ![inside, forms, elsewhere, ofRooms, alone].some((others) => others.test(id)),
    priority: 3,
  },
  { ...shared, name: 'inside', test: (id: string) => inside.test(id) && !ofRooms.test(id), priority: 2 },
  { ...shared, name: 'room', test: ofRooms, minShareCount: 2, priority: 1 },
  { ...shared, name: 'forms', test: forms },
  { ...shared, name: 'elsewhere', test: elsewhere },
];

/**
 * Names the classes of all sheets in their order, as short as their number allows: a hash can't be compressed. The same
 * sources give the same names.
 */
function shortName(): (name: string, file: string) => string {
  const numbers = new Map<string, number>();
  const folder = join(import.meta.dirname, 'src');
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

/** What rtlcss leaves as it is: four values of `inset`, of which the second is the right and the fourth the left. */
const mirroredInset = {
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

export default defineConfig({
  plugins: [
    sentencesOfLanguage(),
    react(),
    preloadTypeface(),
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
    modulePreload: { resolveDependencies: (_file, deps, { hostType }) => (hostType === 'js' ? [] : deps) },
    // hls.js is one file, fetched with the first stream; what pages load at once has budgets of its own.
    chunkSizeWarningLimit: 600,
    // The CSP has no data: source, so nothing may be inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups } },
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

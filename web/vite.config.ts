/** How the web app is built and served in development. Knows the server's address and paths, not its meaning. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rollup } from 'vite';

/** Where `npm run dev` finds the server. */
const server = process.env['TUNEMATE_SERVER'] ?? 'http://localhost:3000';

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

/** What a room needs before it can play: its screen and the line to the server. */
const roomCode = [/[\\/]RoomScreen\.tsx$/, /[\\/]VisitHost\.tsx$/, /[\\/]socket\.io-client[\\/]/];

/** The same page for the addresses of rooms: it asks for the room's code at once, not when the app finds out. */
function roomPage(): Plugin {
  return {
    name: 'room-page',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      const html = String(page.source);
      const links = withImports(bundle, roomCode)
        .filter((file) => !html.includes(file))
        .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
      this.emitFile({
        type: 'asset',
        fileName: 'room.html',
        source: html.replace('</head>', `${links.join('')}</head>`),
      });
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

/** Small modules that several screens share: one file, because each file more costs a far visitor a way there and back. */
const parts = { name: 'parts', test: /[\\/](?:web[\\/]src|protocol)[\\/]/, minShareCount: 4, maxModuleSize: 6000 };

export default defineConfig({
  plugins: [react(), preloadTypeface(), roomPage()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // One sheet weighs two thirds of thirty small ones, and no screen waits for its looks.
    cssCodeSplit: false,
    target: 'baseline-widely-available',
    // The CSP has no data: source, so nothing may be inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: [parts] } },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/media': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});

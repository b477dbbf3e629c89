/* How the web app is built and served in development. Knows the server's address and paths, not its meaning. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` finds the server. */
const SERVER = process.env['TUNEMATE_SERVER'] ?? 'http://localhost:3000';

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

export default defineConfig(({ mode }) => ({
  plugins: [react(), preloadTypeface()],
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
    // `vite build --mode gallery` adds the parts gallery; the product never contains it.
    rolldownOptions: { input: mode === 'gallery' ? ['gallery.html'] : ['index.html'] },
  },
  server: {
    proxy: {
      '/api': SERVER,
      '/media': SERVER,
      '/socket.io': { target: SERVER, ws: true },
    },
  },
}));

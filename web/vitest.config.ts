/**
 * Screens in a real Chromium: files that end in `.screen.test.tsx`, beside what they test. They mount the whole app over
 * a stand-in for the server, so nothing leaves the page.
 */
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { playwright } from '@vitest/browser-playwright';
import { defineProject } from 'vitest/config';
import { browserCommands } from './testing/screens/browser-commands.ts';
import { mediaFiles } from './testing/screens/media-files.ts';

/** Looked for when a browser is wanted, so that the other tests need none. */
const launchOptions = {
  get executablePath() {
    return chromiumLaunch({ prefersShell: true }).executablePath;
  },
  get args() {
    return chromiumLaunch({ autoplay: true }).args;
  },
};

/** Every package that a page loads. A package found only while tests run makes Vite reload the page under them. */
const packages = [
  '@tanstack/react-virtual',
  'axe-core',
  'linkify-it',
  'lucide-react',
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-runtime',
  'socket.io-client',
  'uqr',
  'vitest-browser-react/pure',
  'wouter',
  'zod',
];

export default defineProject({
  plugins: [mediaFiles],
  // React as it ships. The one for development takes half as long again to draw the same.
  oxc: { jsx: { runtime: 'automatic', development: false, refresh: false } },
  optimizeDeps: {
    include: packages,
    noDiscovery: true,
    rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"production"' } } },
  },
  test: {
    name: 'web',
    include: ['{src,testing}/**/*.screen.test.tsx'],
    setupFiles: ['testing/screens/setup.ts'],
    // One page for all files: each test starts and ends with an empty one.
    isolate: false,
    fileParallelism: true,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      traceView: false,
      dependencySourcemaps: false,
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions,
        contextOptions: {
          locale: 'en-GB',
          timezoneId: 'Europe/Stockholm',
          permissions: ['clipboard-read', 'clipboard-write'],
        },
        actionTimeout: 15_000,
      }),
      instances: [{ browser: 'chromium' }],
      commands: browserCommands,
    },
  },
});

import { limits } from '@tunemate/testkit/extent';
import { keepTemporaryFilesInMemory } from '@tunemate/testkit/services/disks/memory-folder';
import { defineConfig } from 'vitest/config';

keepTemporaryFilesInMemory();

/**
 * Two projects: 'node' is everything beside its source, 'web' is the screens in a browser (vitest.screens.config.ts).
 * Browser journeys through the whole product live in e2e/ and run with Playwright.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['{playback,protocol,domain,server,web,testkit,bench,library,scripts}/**/*.test.{ts,mjs}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          globalSetup: ['testkit/src/services/shared-services.ts'],
          pool: 'forks',
          // Half of a short file's time is loading the server anew; nothing in here replaces a module.
          isolate: false,
          maxWorkers: 2,
          testTimeout: limits.node.test,
          hookTimeout: limits.node.test,
          expect: { poll: { timeout: limits.node.poll } },
        },
      },
      'vitest.screens.config.ts',
    ],
    // The difference of two large values takes minutes, in which nothing else of its process runs.
    diff: { truncateThreshold: 500 },
    // `npm run coverage`; what only tests use does not count.
    coverage: {
      provider: 'v8',
      include: ['{playback,protocol,domain,server,web}/src/**/*.{ts,tsx}'],
      exclude: ['**/*.test.{ts,tsx}', '**/*.d.ts'],
      reporter: ['json-summary'],
      reportOnFailure: true,
      reportsDirectory: 'test-results/coverage',
    },
  },
});

import { defineConfig } from 'vitest/config';

/** Node tests: everything beside its source. Browser journeys live in e2e/ and run with Playwright. */
export default defineConfig({
  test: {
    include: ['{playback,protocol,domain,server,web,testkit,library,scripts}/**/*.test.{ts,mjs}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['testkit/src/shared-services.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

import { defineConfig } from 'vitest/config';

/** The tests that are to notice a mutant: those beside the pure workspaces' sources. */
export default defineConfig({
  test: {
    include: ['{playback,protocol,domain}/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/simulation*.test.ts'],
    testTimeout: 30_000,
  },
});

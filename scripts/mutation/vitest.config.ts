import { defineConfig } from 'vitest/config';
import { tests, wantsServices } from './places.mjs';

export default defineConfig({
  test: {
    include: tests,
    exclude: ['**/node_modules/**', '**/{simulation*,gapless}.test.ts'],
    globalSetup: wantsServices ? ['testkit/src/shared-services.ts'] : [],
    testTimeout: 30_000,
  },
});

import { keepTemporaryFilesInMemory } from '@tunemate/testkit/services/disks/memory-folder';
import { defineConfig } from 'vitest/config';
import { isOfServer, tests } from './places.mjs';

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    include: tests,
    exclude: ['**/node_modules/**', '**/{simulation,gapless}.flow.test.ts'],
    globalSetup: isOfServer ? ['scripts/toolchain/without-services.ts'] : [],
    // As in `npm test`: loading the server anew for each file is most of what a mutant of it costs.
    isolate: !isOfServer,
    testTimeout: 30_000,
  },
});

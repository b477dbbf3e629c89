/**
 * Runs tests of the server with one text of one file replaced, as ACCESS_MUTANT says: `{ file, from, to }`. The file
 * itself stays as it is. Without the variable nothing is replaced.
 */
import { keepTemporaryFilesInMemory } from '@tunemate/testkit/memory-folder';
import { defineConfig, type Plugin } from 'vitest/config';

keepTemporaryFilesInMemory();

interface Mutant {
  file: string;
  from: string;
  to: string;
}

function replaced({ file, from, to }: Mutant): Plugin {
  return {
    name: 'access-mutant',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(`/${file}`)) return null;
      if (!code.includes(from)) throw new Error(`${file} does not have: ${from}`);
      return { code: code.replace(from, () => to), map: null };
    },
  };
}

const { ACCESS_MUTANT: mutant } = process.env;

export default defineConfig({
  plugins: mutant === undefined ? [] : [replaced(JSON.parse(mutant) as Mutant)],
  test: {
    include: ['{domain,server}/src/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['scripts/access-mutation/without-services.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A mutant that tells somebody nothing must not be waited for.
    expect: { poll: { timeout: 5000 } },
  },
});

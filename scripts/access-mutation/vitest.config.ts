/**
 * Runs tests of the server with one text of one file replaced, as ACCESS_MUTANT says: `{ file, from, to }`. The file
 * itself stays as it is. Without the variable nothing is replaced.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepTemporaryFilesInMemory } from '@tunemate/testkit/services/memory-folder';
import { defineConfig, type Plugin } from 'vitest/config';

keepTemporaryFilesInMemory();

/** Says that the text was replaced, so that a mutant nobody loads is not mistaken for one that nobody notices. */
const takenOut = join(import.meta.dirname, '../../test-results/access-taken-out');

interface Mutant {
  file: string;
  from: string;
  to: string;
}

function replaced({ file, from, to }: Mutant): Plugin {
  return {
    name: 'access-mutant',
    enforce: 'pre',
    // A module that was kept from another run has no mutant, or an earlier one: this one is made anew each time.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (id.endsWith(`/${file}`) ? false : undefined));
    },
    transform(code, id) {
      if (!id.endsWith(`/${file}`)) return null;
      if (!code.includes(from)) throw new Error(`${file} does not have: ${from}`);
      writeFileSync(takenOut, from);
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
    globalSetup: ['scripts/toolchain/without-services.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A mutant that tells somebody nothing must not be waited for.
    expect: { poll: { timeout: 5000 } },
  },
});

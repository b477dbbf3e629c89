/**
 * How mutation testing runs: in place, because workspaces find one another through node_modules. Stryker keeps a backup
 * and puts every file back. The seeded simulations are left out: they take seconds for each mutant, and what they find is
 * to be found by the unit tests first or is no fault of one line.
 */
import { sources } from './places.mjs';

export default {
  inPlace: true,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  mutate: sources,
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  // The first run of all tests, which Stryker ends after five minutes unless sent.
  dryRunTimeoutMinutes: 30,
  reporters: ['json', 'clear-text'],
  jsonReporter: { fileName: 'test-results/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};

/** Journeys that need a program which this machine can't give are skipped, with the reason; in CI they fail. */
import { test } from '@playwright/test';
import { ServiceUnavailable } from '@tunemate/testkit/services/system-programs';

/** Starts something; where that is not to be had, the tests of the file are reported as not run. */
export async function orNotRun<Started>(start: () => Promise<Started>): Promise<Started | null> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof ServiceUnavailable) || process.env['CI'] === 'true') throw error;
    console.error(`not run: ${test.info().file}: ${error.message}`);
    test.info().skip(true, error.message);
    return null;
  }
}

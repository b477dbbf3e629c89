import { coversEverything } from '@tunemate/testkit/extent';
import { expect, test } from 'vitest';
import { crashDatabase } from './crash.ts';

// How long a page waits at most for its next try is a test of `retry.ts`.
test.runIf(coversEverything)(
  'after a crash of the database each page is back with its next try',
  async () => {
    const { attempts } = await crashDatabase({ pages: 20, attemptsAway: 3 });
    expect(Math.max(...attempts)).toBeLessThanOrEqual(2);
  },
  120_000,
);

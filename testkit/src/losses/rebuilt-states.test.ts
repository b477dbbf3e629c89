/** The short form of `npm run bench -- disk`. */
import { expect, test } from 'vitest';
import { ServiceUnavailable } from '../services/system-programs.ts';
import { rebuildStates } from './rebuilt-states.ts';

/** Skips where there is no C compiler. */
async function cuts(...[options]: Parameters<typeof rebuildStates>) {
  return await rebuildStates(options).catch((error: unknown) => {
    if (error instanceof ServiceUnavailable) return null;
    throw error;
  });
}

test.for([{ disk: 'sound' }, { disk: 'failing' }] as const)(
  'after a power cut a $disk disk has all that was acknowledged or shown, pictures and recordings too, and nothing deleted is back (DUR-2)',
  { timeout: 120_000 },
  async ({ disk }, { skip }) => {
    // Syncs fail for a while, in which a slow machine stores less.
    const rounds = disk === 'failing' ? 60 : 30;
    const found = await cuts({ rounds, states: 150, seed: 3, ...(disk === 'failing' && { disk }) });
    if (found === null) return skip('there is no C compiler');
    expect(found.faults).toEqual([]);
    expect(found.acknowledged).toBeGreaterThan(50);
    expect(found.uploads).toBeGreaterThan(10);
    expect(found.beginnings).toBeGreaterThan(1);
    if (disk === 'failing') expect(found.failedSyncs).toBeGreaterThan(0);
  },
);

test('this trial finds a database that acknowledges before it syncs', { timeout: 120_000 }, async ({ skip }) => {
  const found = await cuts({ rounds: 3, states: 20, seed: 3, disk: 'never-synced' });
  if (found === null) return skip('there is no C compiler');
  expect(found.faulty).toBeGreaterThan(0);
});

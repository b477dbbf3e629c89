/** The short form of `npm run bench -- fuzz`. */
import { expect, test } from 'vitest';
import { coversEverything, seedOfDay } from '../extent.ts';
import { fuzzReaders, readerNames } from './reader-fuzz.ts';

test('no mutated file makes a reader throw, end its thread or hold it up', { timeout: 120_000 }, async () => {
  const { faults, read } = await fuzzReaders({ cases: coversEverything ? 1000 : 100, seed: seedOfDay });
  const said = faults.map(({ reader, number, fault }) => `${reader} ${String(number)}: ${fault}`);
  expect({ seed: seedOfDay, said }).toEqual({ seed: seedOfDay, said: [] });
  // Recordings are read where there is ffmpeg.
  const idle = readerNames.filter((name) => read[name] === 0 && name !== 'recordings');
  expect(idle).toEqual([]);
});

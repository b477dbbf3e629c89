/** Payloads made from the schemas and then broken: nothing of it makes the server fail. `npm run bench -- fuzz` sends more. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { fuzz } from '@tunemate/testkit/fuzz/fuzz';
import { expect, test } from 'vitest';

describeEachDialect('a fuzzer over the schemas', (makeDatabaseUrl) => {
  test('no request that the schemas allow, and none broken in places, makes the server fail (LOAD-1)', async () => {
    const report = await fuzz({ databaseUrl: await makeDatabaseUrl(), requests: 1700, seed: 1 });
    expect(report.failures).toEqual([]);
    // Otherwise it would only have knocked at the door.
    expect(report.kindsAccepted).toBeGreaterThan(report.kinds / 2);
    expect(report.refused['input/invalid']).toBeGreaterThan(100);
  });
});

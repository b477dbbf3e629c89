/** Whether the database can be used, asked while everything else waits for it. */
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { migrate, openDatabase } from './database.ts';
import { isReachable } from './state.ts';

describeEachDialect('whether the database answers', (makeDatabaseUrl) => {
  test('it is asked over a connection of its own, while all others are held', async () => {
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    const { promise: letGo, resolve: release } = Promise.withResolvers<undefined>();
    const holding = Array.from({ length: 20 }, () => database.db.transaction().execute(() => letGo));
    expect(await isReachable(database)).toBe(true);
    release(undefined);
    await Promise.all(holding);
    await database.close();
    expect(await isReachable(database)).toBe(false);
  });
});

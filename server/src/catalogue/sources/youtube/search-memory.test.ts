/** One contract for the catalogue's memory, in both databases. */
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { migrate, openDatabase } from '../../../storage/database.ts';
import { type SearchMemory, storedMemory } from './search-memory.ts';

function contract(open: () => Promise<{ memory: SearchMemory; close: () => Promise<void> }>): void {
  test('returns the last answer under a key, until it is deleted', async () => {
    const { memory, close } = await open();
    expect(await memory.recall('a')).toBeNull();
    await memory.keep('a', 'one', 10);
    await memory.keep('a', 'two', 20);
    await memory.keep('b', 'old', 5);
    expect(await memory.recall('a')).toEqual({ answer: 'two', atMs: 20 });
    await memory.forget(20, 0);
    expect(await memory.recall('b')).toBeNull();
    expect(await memory.recall('a')).not.toBeNull();
    await close();
  });

  test('a budget gives out exactly its allowance, however many ask at once', async () => {
    const { memory, close } = await open();
    const taken = await Promise.all(Array.from({ length: 12 }, () => memory.spend('k', 5, 100)));
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(await memory.spend('k', 6, 100)).toBe(true);
    expect(await memory.spend('k', 6, 100)).toBe(false);
    expect(await memory.spend('other', 1, 100)).toBe(true);
    expect(await memory.spend('none', 0, 100)).toBe(false);
    await memory.giveBack('k');
    expect(await memory.spend('k', 6, 100)).toBe(true);
    expect(await memory.spend('k', 6, 100)).toBe(false);
    await close();
  });

  test('an exhausted budget gives nothing until it expires', async () => {
    const { memory, close } = await open();
    await memory.exhaust('k', 5, 100);
    expect(await memory.spend('k', 5, 100)).toBe(false);
    await memory.forget(0, 99);
    expect(await memory.spend('k', 5, 100)).toBe(false);
    await memory.forget(0, 100);
    expect(await memory.spend('k', 5, 200)).toBe(true);
    await close();
  });
}

describeEachDialect('memory in the database', (makeDatabaseUrl) => {
  contract(async () => {
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    return { memory: storedMemory(database.db), close: () => database.close() };
  });
});

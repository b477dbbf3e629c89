import { expect, test, vi } from 'vitest';
import { createFakeConnection } from '../../testing/fake-connection.ts';
import { createOpenLibrary } from './open-library.ts';

test('a library that was closed again while its code came stays closed, and opens with the next press', async () => {
  const library = createOpenLibrary(createFakeConnection(), { kind: 'audio', code: '7F3A9C' });
  library.open();
  library.close();
  await import('./library-model.ts');
  await Promise.resolve();
  expect(library.model.get()).toBeNull();
  library.open();
  await expect.poll(() => library.model.get()).not.toBeNull();
  const shown = library.model.get();
  library.open();
  library.open();
  await vi.dynamicImportSettled();
  expect(library.model.get()).toBe(shown);
});

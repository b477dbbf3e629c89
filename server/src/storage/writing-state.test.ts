import { expect, test } from 'vitest';
import { writingState } from './writing-state.ts';

test('only what the disk stores after a write failed says that saving works again', () => {
  const state = writingState(undefined);
  state.failed(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' }));
  state.synced(1000);
  expect(state.now()).toEqual({ trouble: 'failing', code: 'SQLITE_IOERR_WRITE' });
  state.synced(0);
  expect(state.now()).toBeNull();
});

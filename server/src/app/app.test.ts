/** A start that fails half-way closes what it had opened. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { createApp } from './app.ts';
import { readConfig } from '../config.ts';
import { randomIds } from '../system/machine.ts';
import { createLog } from '../system/logging.ts';

const log = createLog('silent');

test('a start that fails ends what it had opened', async () => {
  await using dir = await makeTempDir('start');
  const settings = { PORT: '0', DATA_DIR: dir.path, MEDIA_DIR: join(dir.path, 'no-music') };
  const parts = { clock: createFakeClock(), ids: randomIds(), log };
  await expect(createApp(readConfig(settings), parts)).rejects.toThrow();
  // The database takes its log along when its last connection is closed.
  const files = await readdir(dir.path);
  expect(files).toContain('tunemate.sqlite');
  expect(files.filter((name) => name.endsWith('-wal'))).toEqual([]);
});

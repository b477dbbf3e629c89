import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, 'memory-folder.ts')).href;
const hasMemory = existsSync('/dev/shm');

/** Where a run keeps its temporary files, and whether that place was there while it ran. */
function run(env: Record<string, string> = {}): { folder: string; wasThere: boolean } {
  const code = `
    import { existsSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { keepTemporaryFilesInMemory } from '${module}';
    keepTemporaryFilesInMemory();
    console.log(JSON.stringify({ folder: tmpdir(), wasThere: existsSync(tmpdir()) }));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { env, encoding: 'utf8' });
  return JSON.parse(stdout) as { folder: string; wasThere: boolean };
}

test('temporary files are in a place that exists during a run, and what was made for it is gone afterwards', () => {
  const { folder, wasThere } = run();
  expect(wasThere).toBe(true);
  expect(existsSync(folder)).toBe(!folder.startsWith('/dev/shm/'));
});

test('a place that the environment names is kept', () => {
  expect(run({ TMPDIR: import.meta.dirname }).folder).toBe(import.meta.dirname);
});

test.runIf(hasMemory)('what a killed run left behind is removed by the next one', async () => {
  // No process has a number this high.
  const left = '/dev/shm/tunemate-tests-999999999';
  await mkdir(left, { recursive: true });
  const { folder } = run();
  const isTidied = !existsSync(left);
  await rm(left, { recursive: true, force: true });
  expect(isTidied).toBe(folder.startsWith('/dev/shm/'));
});

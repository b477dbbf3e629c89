/**
 * Folders that live as long as one test.
 * They are made under the system's temporary folder and removed as a whole.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own and the way to be rid of it. `await using` removes it at the end of the block. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
  /** Removes the folder with everything in it; a second call does nothing. */
  remove(): Promise<void>;
}

/** Makes an empty folder that no other test uses; `purpose` becomes part of its name. */
export async function makeTempDir(purpose = 'test'): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), `tunemate-${purpose}-`));
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

/** The files of `deploy` for balancers, as they stand before servers of this machine. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const deploy = join(import.meta.dirname, '../../../deploy');

/** The file names servers as compose.cluster.yaml does, which only its network knows. */
export async function recipe(file: string, servers: readonly string[]): Promise<string> {
  const written = await readFile(join(deploy, file), 'utf8');
  return servers.reduce((text, url, n) => text.replace(`tunemate-${String(n + 1)}:3000`, new URL(url).host), written);
}

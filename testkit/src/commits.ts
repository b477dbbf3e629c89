/** Commits of this repository, as measurements name, build and upgrade them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();

/** The short name of a commit; throws when there is none. */
export const commitOf = (name: string): string => git('rev-parse', '--short', name);

/** The newest commit whose database is older than this one's: the one before the newest migration came. */
export function beforeNewestMigration(): string {
  const added = ['log', '-1', '--diff-filter=A', '--format=%H'];
  return `${git(...added, '--', 'server/src/storage/migrations/*[0-9]-*')}^`;
}

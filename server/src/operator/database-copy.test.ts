/** What other users of the machine see of the programs that copy PostgreSQL. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test, vi } from 'vitest';
import { dumpPostgres } from './database-copy.ts';

const program = `#!/bin/sh
printf '%s\\n' "$@" "with $PGPASSWORD" > "$(dirname "$0")/seen"
`;

describeWithService(
  'a dump of PostgreSQL',
  () => requestService('postgres'),
  ({ url }) => {
    test('has the password of the query of DATABASE_URL in no argument, and the rest of it as it is', async () => {
      const database = await createDatabase(url);
      const folder = await makeTempDir('programs');
      await writeFile(join(folder.path, 'pg_dump'), program, { mode: 0o700 });
      vi.stubEnv('PATH', `${folder.path}:${String(process.env['PATH'])}`);
      const address = new URL(database.url);
      address.search = '?application_name=a%20copy&password=open%20sesame';
      await dumpPostgres(address.href, join(folder.path, 'dump'), []);
      const seen = (await readFile(join(folder.path, 'seen'), 'utf8')).trim().split('\n');
      expect(seen.at(-1)).toBe('with open sesame');
      expect(seen[1]).toMatch(/\?application_name=a%20copy$/);
      expect(seen.slice(0, -1).join(' ')).not.toContain('sesame');
      vi.unstubAllEnvs();
      await folder.remove();
      await database.drop();
    });
  },
);

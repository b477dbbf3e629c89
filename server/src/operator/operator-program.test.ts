/** What the operator's program deletes with an account. */
import { join } from 'node:path';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Uid } from '@tunemate/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { accountHooks } from '../app/features.ts';
import { runOperatorCommand } from './operator-program.ts';

describeEachDialect('deletion by the operator', (makeDatabaseUrl, dialect) => {
  test('what a new feature keeps of an account is deleted by the operator’s program too', async () => {
    const dir = await makeTempDir('hooks');
    onTestFinished(() => dir.remove());
    const url = dialect === 'sqlite' ? `sqlite:${join(dir.path, 'tunemate.sqlite')}` : await makeDatabaseUrl();
    const [person] = await makePeople(url, 1);
    const uid = person?.uid ?? expect.fail('no account');

    const deletedWith: Uid[] = [];
    accountHooks.push(() => ({ onDeleting: async (deleting) => void deletedWith.push(deleting) }));
    onTestFinished(() => void accountHooks.pop());
    const said: string[] = [];
    const say = (text: string) => void said.push(text);
    const env = { DATA_DIR: dir.path, ...(dialect === 'sqlite' ? {} : { DATABASE_URL: url }) };
    const exitCode = await runOperatorCommand(['people', 'delete', uid, '--yes'], {
      ...{ env, folder: dir.path, say, complain: say },
    });
    expect({ exitCode, said, deletedWith }).toEqual({ exitCode: 0, said, deletedWith: [uid] });
  });
});

/** What the server does for an address that has an account, and for one that has none: how long it takes must not tell. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { emailOf, goodPassword, startTestApp } from '@tunemate/testkit/worlds/test-app';
import { expect, test } from 'vitest';

describeEachDialect('known and unknown addresses', (makeDatabaseUrl) => {
  test('a mail that is asked for again writes the same rows for both, but for the mail (ACCT-2)', async () => {
    const statements: string[] = [];
    const onStatement = (statement: string) => void statements.push(statement);
    const app = await startTestApp({ databaseUrl: await makeDatabaseUrl(), onStatement });
    const signUp = async (email: string) => {
      const payload = { name: 'Ada', email, password: goodPassword };
      const { result } = await app.visitor().call('POST /api/accounts/sign-up', payload);
      return result.ok ? result.value.ticket : '';
    };
    await signUp(emailOf('Known'));
    await app.visitor().call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(emailOf('Known')) });
    const rowsWritten = async (ticket: string) => {
      statements.length = 0;
      expect((await app.visitor().call('POST /api/accounts/resend-verification', { ticket })).status).toBe(200);
      const written = statements.map((each) => /^(?:insert into|update|delete from) "\w+"/.exec(each)?.[0] ?? '');
      return written.filter((each) => /action_codes|sign_up|users|audit/.test(each));
    };
    const unknown = await rowsWritten(await signUp(emailOf('Unknown')));
    expect(unknown).toContain('insert into "action_codes"');
    expect(await rowsWritten(await signUp(emailOf('Known')))).toEqual(unknown);
    await app.close();
  });
});

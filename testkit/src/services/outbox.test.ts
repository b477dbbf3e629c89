import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseMail, readOutbox, waitForMail } from './outbox.ts';
import { makeTempDir } from './temp-dir.ts';

const quoted = `To: ann@example.test\r
Subject: =?UTF-8?Q?Verify_your_caf=C3=A9?=\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
Bonjour caf=C3=A9, open http://localhost:3000/auth/action?mode=3DverifyEmail=\r
&oobCode=3Dabc123 now.\r
`;

test('decodes quoted-printable text, folded links and header words', () => {
  const mail = parseMail(quoted);
  expect(mail.subject).toBe('Verify your café');
  expect(mail.text).toContain('Bonjour café');
  expect(mail.links).toEqual(['http://localhost:3000/auth/action?mode=verifyEmail&oobCode=abc123']);
});

test('takes the plain part of a multipart mail', () => {
  const mail = parseMail(
    [
      'To: bob@example.test',
      'Subject: Hello',
      'Content-Type: multipart/alternative;',
      ' boundary="--_part"',
      '',
      '----_part',
      'Content-Type: text/html',
      '',
      '<p>http://wrong.test</p>',
      '----_part',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('see https://right.test/a').toString('base64'),
      '----_part--',
      '',
    ].join('\r\n'),
  );
  expect(mail.links).toEqual(['https://right.test/a']);
});

test('waits for a mail that is not there yet', async () => {
  await using folder = await makeTempDir('outbox');
  const waiting = waitForMail(folder.path, 'ann@example.test');
  await writeFile(join(folder.path, '1.tmp'), quoted);
  await rename(join(folder.path, '1.tmp'), join(folder.path, '1.eml'));
  expect((await waiting).links).toHaveLength(1);
  expect(await readOutbox(folder.path)).toHaveLength(1);
});

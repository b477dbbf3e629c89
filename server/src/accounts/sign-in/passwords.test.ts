import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { createPasswords, isWeakPassword } from './passwords.ts';

const own = { name: 'Marie Curie', email: 'radium@example.org' };

describe('passwords', () => {
  test.each([
    '1234567',
    'qwertyuiop',
    'PASSWORD',
    'Soulmate!!',
    'marie curie 1867',
    'radium2026',
    'ababababab',
    'x'.repeat(129),
  ])('%s is weak', async (password) => expect(await isWeakPassword(password, own)).toBe(true));

  test.each([
    'three green bicycles',
    'пароль из шести слов',
    '🎵🎶🎷🎸🎹🎺🎻🥁',
    'y7$kQ2!v',
    `${'long enough '.repeat(10)}ok`,
  ])('%s is accepted', async (password) => expect(await isWeakPassword(password, own)).toBe(false));

  test('are stored as argon2id with OWASP’s minimum cost (ACCT-24)', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('three green bicycles');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.check('three green bicycles', stored)).toEqual({ isRight: true, rehash: null });
    expect(await passwords.check('three green bicycle', stored)).toEqual({ isRight: false, rehash: null });
    expect(await passwords.check('three green bicycles', null)).toEqual({ isRight: false, rehash: null });
  });

  test('are equal in every Unicode composition (ACCT-24)', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('caf\u00e9 au lait');
    expect((await passwords.check('cafe\u0301 au lait', stored)).isRight).toBe(true);
  });

  test('are rehashed at sign-in when the cost has risen', async () => {
    const passwords = createPasswords();
    const cheap = await hash('three green bicycles', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    const { isRight, rehash } = await passwords.check('three green bicycles', cheap);
    expect(isRight).toBe(true);
    expect((await passwords.check('three green bicycles', rehash)).isRight).toBe(true);
    expect((await passwords.check('wrong', cheap)).rehash).toBeNull();
  });

  test('are refused as busy when 64 wait already; the others are served', async () => {
    const passwords = createPasswords();
    const cheap = await hash('right', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    const checks = Array.from({ length: 80 }, () => passwords.check('wrong', cheap));
    const settled = await Promise.allSettled(checks);
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(80 - 2 - 64);
    expect(refused[0]?.reason).toMatchObject({ code: 'server/busy' });
    expect((await passwords.check('right', cheap)).isRight).toBe(true);
  });
});

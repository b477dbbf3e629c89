/**
 * Two people sign up with one address, in every order of what each of them does: each mailed link does what it would do
 * alone, and the first that is opened decides. On both databases, with passwords that cost nothing.
 */
import type { Result } from '@tunemate/protocol';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLimits } from '../../access/limits.ts';
import { linkOf } from '../../mail/templates.ts';
import { type Database, migrate, openDatabase } from '../../storage/database.ts';
import { StreamRecord } from '../../storage/record.ts';
import { createLog } from '../../system/logging.ts';
import { randomIds } from '../../system/machine.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { removalService } from '../removal.ts';
import { hashSecret, openKnownDevices, sessionsService } from '../sign-in/sessions.ts';
import { signInService } from '../sign-in/sign-in.ts';
import { insertSignUpInvitation, setSignUpMode } from './sign-up-gate.ts';
import { signUpService } from './sign-up.ts';
import { verificationService } from './verification.ts';

type Who = 'Ann' | 'Eve';
/**
 * signs up, asks for the mail again, opens the newest link, and another person takes the last place of the invitation
 */
type Act = 'sign up' | 'mail again' | 'open' | 'place taken' | 'reject';
type Step = readonly [Who, Act];

const caller = { address: '127.0.0.1', network: '127.0.0.1', language: 'en' as const, isFromThisMachine: false };
const browser = { ...caller, device: 'a test', mark: null, waiting: null, session: { status: 'signed-out' } } as const;
const passwordOf = (who: Who): string => `three green bicycles of ${who}`;
const otherOf = (who: Who): Who => (who === 'Ann' ? 'Eve' : 'Ann');

/** Every order in which both lists can happen. */
function ordersOf(one: readonly Step[], other: readonly Step[]): Step[][] {
  const [first, ...rest] = one;
  const [second, ...remaining] = other;
  if (first === undefined || second === undefined) return [[...one, ...other]];
  return [
    ...ordersOf(rest, other).map((order) => [first, ...order]),
    ...ordersOf(one, remaining).map((order) => [second, ...order]),
  ];
}

const acts = (who: Who, ...list: Act[]): Step[] => list.map((act) => [who, act] as const);

/** Their invitations: none where sign-up is open, one each, or one with one place for both. */
type Invited = 'open' | 'each' | 'together';
const cases: readonly (readonly [string, Invited, Step[], Step[]])[] = [
  [
    'both ask for the mail again',
    'open',
    acts('Ann', 'sign up', 'mail again', 'open'),
    acts('Eve', 'sign up', 'mail again', 'open'),
  ],
  ['both try their link twice', 'open', acts('Ann', 'sign up', 'open', 'open'), acts('Eve', 'sign up', 'open', 'open')],
  ['each has an invitation', 'each', acts('Ann', 'sign up', 'mail again', 'open'), acts('Eve', 'sign up', 'open')],
  [
    'the place of one is taken',
    'each',
    acts('Ann', 'sign up', 'mail again', 'open'),
    acts('Eve', 'sign up', 'place taken', 'open'),
  ],
  [
    'the place of one is taken first',
    'each',
    acts('Ann', 'sign up', 'open'),
    acts('Eve', 'place taken', 'sign up', 'open'),
  ],
  [
    'both places are taken',
    'each',
    acts('Ann', 'sign up', 'place taken', 'open'),
    acts('Eve', 'sign up', 'place taken', 'open'),
  ],
  ['one is rejected', 'each', acts('Ann', 'sign up', 'mail again', 'open'), acts('Eve', 'sign up', 'reject', 'open')],
  ['one place for both', 'together', acts('Ann', 'sign up', 'mail again', 'open'), acts('Eve', 'sign up', 'open')],
];

describeEachDialect('two sign-ups with one address', (makeDatabaseUrl) => {
  let database: Database;
  let deps: AccountsDeps;
  let mails: { to: string; text: string }[] = [];
  const clock = createFakeClock();
  const ids = randomIds();
  let count = 0;
  beforeAll(async () => {
    database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    const [record, log] = [new StreamRecord(database, clock), createLog('silent')];
    deps = {
      ...{ record, clock, ids, log, hooks: [], publicUrl: () => 'http://localhost:3000', withoutMail: null },
      limits: createLimits({ clock, scale: 0 }),
      devices: await openKnownDevices(database.db),
      mailer: {
        enqueue: (_db, mail) => Promise.resolve(void mails.push(mail)),
        kick: () => undefined,
        canDeliver: () => Promise.resolve(true),
        isRefused: () => Promise.resolve(false),
      },
      passwords: {
        hash: (given) => Promise.resolve(hashSecret(`${given}${ids.newToken()}`) + `|${given}`),
        check: (given, stored) => Promise.resolve({ isRight: stored?.endsWith(`|${given}`) ?? false, rehash: null }),
      },
      sessions: sessionsService({ record, clock, ids, log, readCookie: () => null }),
    };
  });
  afterAll(() => database.close());

  const placesLeft = async (token: string) =>
    (
      await database.db
        .selectFrom('sign_up_invitations')
        .select('uses_left')
        .where('token_hash', '=', hashSecret(token))
        .executeTakeFirstOrThrow()
    ).uses_left;

  /** Runs the order, and compares each answer with what that person alone would get, or with a link that is over. */
  async function run(invited: Invited, order: readonly Step[]): Promise<void> {
    await setSignUpMode(database.db, invited === 'open' ? 'open' : 'invite');
    mails = [];
    count += 1;
    const email = `both${String(count)}@example.test`;
    const [one, two] = [ids.newToken(), ids.newToken()];
    const tokens: Record<Who, string> = { Ann: one, Eve: invited === 'together' ? one : two };
    const made = { createdAtMs: clock.now(), expiresAtMs: clock.now() + 1e9, usesLeft: 1 };
    for (const token of new Set(Object.values(tokens))) await insertSignUpInvitation(database.db, token, made);
    const [signUps, verifications] = [signUpService(deps), verificationService(deps, removalService(deps))];

    const tickets: Partial<Record<Who, string>> = {};
    const codes: Record<Who, string[]> = { Ann: [], Eve: [] };
    const hasPlace: Record<Who, boolean> = { Ann: true, Eve: true };
    let winner: Who | null = null;

    const readMail = (who: Who) => {
      const sent = mails.splice(0);
      expect(sent.map(({ to }) => to)).toEqual([email]);
      const code = new URL(linkOf(sent[0]?.text ?? '') ?? '').searchParams.get('oobCode');
      // The address is verified: the owner gets a notice, which has no code.
      expect(code === null).toBe(winner !== null);
      if (code !== null) codes[who].push(code);
    };

    async function act(who: Who, what: Act): Promise<void> {
      if (what === 'place taken') {
        hasPlace[who] = false;
        const hash = hashSecret(tokens[who]);
        await database.db
          .updateTable('sign_up_invitations')
          .set({ uses_left: 0 })
          .where('token_hash', '=', hash)
          .execute();
        return;
      }
      if (what === 'sign up') {
        const invitation = invited === 'open' ? {} : { invitation: tokens[who] };
        const asked = { name: who, email, password: passwordOf(who), ...invitation };
        const answer = await signUps.signUp(asked, caller);
        const isPlaceLeft = hasPlace[who] && (invited !== 'together' || winner === null);
        expect(codeOf(answer)).toBe(invited === 'open' || isPlaceLeft ? 'ok' : 'auth/invitation-needed');
        if (!answer.ok) return;
        tickets[who] = valueOf(answer).ticket;
        return readMail(who);
      }
      const ticket = tickets[who];
      // They were not let in, and have neither page nor mail.
      if (ticket === undefined) return;
      if (what === 'mail again') {
        const answer: Result<unknown> = await signUps.resend(browser.session, { ticket }, caller);
        expect(codeOf(answer)).toBe('ok');
        // The other one verified: the answer is the same, and no mail is sent.
        if (winner === null) readMail(who);
        else expect(mails).toEqual([]);
        return;
      }
      const [newest, ...older] = codes[who].toReversed();
      if (what === 'reject') {
        const answer = await verifications.reject(newest ?? 'none', caller);
        expect(codeOf(answer)).toBe(winner === null ? 'ok' : 'auth/code-invalid');
        if (answer.ok) codes[who] = [];
        return;
      }
      for (const code of older) expect(codeOf(await verifications.verify(code, browser))).toBe('auth/code-invalid');
      if (newest === undefined) return;
      const answer = await verifications.verify(newest, browser);
      const alone = hasPlace[who] || invited === 'open' ? 'ok' : 'auth/invitation-needed';
      expect(codeOf(answer)).toBe(winner === null ? alone : 'auth/code-invalid');
      if (!answer.ok) return;
      expect(answer.value.name).toBe(who);
      winner = who;
    }

    for (const [who, what] of order) {
      await act(who, what);
      const canSignIn = async (name: Who) => {
        const answer = await signInService(deps).signIn({ email, password: passwordOf(name) }, browser);
        return answer.ok && answer.value.state.status === 'signed-in' ? answer.value.state.user.name : null;
      };
      const ins = { Ann: await canSignIn('Ann'), Eve: await canSignIn('Eve') };
      expect(ins).toEqual({ Ann: null, Eve: null, ...(winner !== null && { [winner]: winner }) });
    }
    if (invited !== 'open') {
      const left = await placesLeft(tokens.Ann);
      const used = winner === 'Ann' || (invited === 'together' && winner !== null) || !hasPlace.Ann;
      expect(left).toBe(used ? 0 : 1);
      if (winner !== null && invited === 'each' && hasPlace[otherOf(winner)]) {
        expect(await placesLeft(tokens[otherOf(winner)])).toBe(1);
      }
    }
  }

  describe.each(cases)('%s', (_what, invited, one, other) => {
    const orders = ordersOf(one, other);
    test(`each link does what it would do alone, in all ${String(orders.length)} orders (ACCT-59)`, async () => {
      for (const order of orders) {
        await run(invited, order).catch((error: unknown) => {
          throw new Error(order.map((step) => step.join(' ')).join(', '), { cause: error });
        });
      }
    });
  });
});

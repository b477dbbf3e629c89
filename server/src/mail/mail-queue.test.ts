/** The queue of mails over real databases: many at once, two processes, and a stop in the middle. */
import { closedWithTest } from '@tunemate/testkit/closed-with-test';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { seededIds } from '@tunemate/testkit/seeded-ids';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { startSmtpSink, type SmtpSink } from '@tunemate/testkit/fakes/smtp-sink';
import { readOutbox } from '@tunemate/testkit/services/outbox';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { type Database, migrate, openDatabase } from '../storage/database.ts';
import { mailboxOf, mailQueue, MailRefused, mailsAtOnce, type MailTransport } from './mail-queue.ts';
import { createLog } from '../system/logging.ts';
import { outboxTransport } from './outbox-transport.ts';
import { smtpTransport } from './smtp-transport.ts';
import { alreadyRegisteredMail, linkOf, passwordResetMail, verificationMail } from './templates.ts';

const clock = createFakeClock();

/** Notes what it is given; a mail to "held" waits until it is let go. */
function transport() {
  const sent: string[] = [];
  const counted = { now: 0, most: 0 };
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const post: MailTransport = {
    async send({ to }) {
      sent.push(to);
      counted.most = Math.max(counted.most, (counted.now += 1));
      // Others are begun before this one is over, if they may.
      await new Promise(setImmediate);
      if (to.startsWith('held')) await held;
      counted.now -= 1;
    },
    canDeliver: () => Promise.resolve(true),
    close: () => undefined,
  };
  return { post, sent, counted, letGo };
}

describeEachDialect('the mail queue', (makeDatabaseUrl, dialect) => {
  const events: string[] = [];
  const note = (_fields: object, event: string) => void events.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  async function open() {
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    events.length = 0;
    return { ...database, close: closedWithTest(() => database.close()) };
  }
  const queueOn = ({ db }: Database, { post }: ReturnType<typeof transport>) =>
    mailQueue({ db, clock, ids: seededIds(1), log, transport: post });
  async function enqueue({ db }: Database, queue: ReturnType<typeof queueOn>, to: readonly string[]) {
    for (const each of to) {
      await queue.enqueue(db, { to: each, subject: 's', text: 't', html: 'h' }, clock.now());
      clock.advance(1);
    }
  }
  const people = (count: number) => Array.from({ length: count }, (_, index) => `to-${String(index).padStart(2, '0')}`);

  test('sends all that is due, however many there are, at most a few at once', async () => {
    const database = await open();
    const line = transport();
    const queue = queueOn(database, line);
    await enqueue(database, queue, people(45));
    await queue.sendDue();
    expect(line.sent.toSorted()).toEqual(people(45));
    expect(line.counted.most).toBeLessThanOrEqual(mailsAtOnce);
    await queue.close();
  });

  test('a slow mail holds back those to its address, and no others', async () => {
    const database = await open();
    const line = transport();
    const queue = queueOn(database, line);
    const toHeld = Array.from({ length: 3 * mailsAtOnce }, () => 'held');
    await enqueue(database, queue, [...toHeld, ...people(30)]);
    const sending = queue.sendDue();
    await expect.poll(() => line.sent.toSorted()).toEqual(['held', ...people(30)]);
    line.letGo();
    await sending;
    expect(line.sent.filter((to) => to === 'held')).toHaveLength(toHeld.length);
    expect(events.filter((event) => event === 'mail.sent')).toHaveLength(toHeld.length + 30);
    await queue.close();
  });

  test('two processes send each mail once', async () => {
    const database = await open();
    const [one, two] = [transport(), transport()];
    const queues = [queueOn(database, one), queueOn(database, two)] as const;
    await enqueue(database, queues[0], people(10));
    await Promise.all(queues.map((queue) => queue.sendDue()));
    expect([...one.sent, ...two.sent].toSorted()).toEqual(people(10));
    for (const queue of queues) await queue.close();
  });

  test('a mail that comes while others are sent needs no second call', async () => {
    const database = await open();
    const line = transport();
    const queue = queueOn(database, line);
    await enqueue(database, queue, ['held']);
    const sending = queue.sendDue();
    await expect.poll(() => line.sent).toEqual(['held']);
    await enqueue(database, queue, ['later']);
    queue.kick();
    await expect.poll(() => line.sent).toEqual(['held', 'later']);
    line.letGo();
    await sending;
    await queue.close();
  });

  test('sends the oldest side by side; a stop finishes them and begins no other', async () => {
    const database = await open();
    const line = transport();
    const queue = queueOn(database, line);
    const held = people(mailsAtOnce).map((name) => `held-${name}`);
    await enqueue(database, queue, [...held, 'never']);
    queue.kick();
    await expect.poll(() => line.sent.toSorted()).toEqual(held);
    const closing = queue.close();
    line.letGo();
    await closing;
    await queue.sendDue();
    expect(line.sent.toSorted()).toEqual(held);
    expect(events.filter((event) => event === 'mail.sent')).toHaveLength(held.length);
  });

  test('whether the last mail to a mailbox was refused takes one look in an index, however many others were', async () => {
    const url = await makeDatabaseUrl();
    const asked: string[] = [];
    const database = openDatabase(url, { onStatement: (statement) => asked.push(statement) });
    await migrate(database);
    const line = transport();
    const refuse = () => Promise.reject(new MailRefused('550 5.1.1'));
    const refusing = queueOn(database, { ...line, post: { ...line.post, send: refuse } });
    await enqueue(database, refusing, people(12));
    await refusing.sendDue();
    await enqueue(database, refusing, ['to-03', 'well']);
    const queue = queueOn(database, line);
    await queue.sendDue();
    asked.length = 0;
    const refused = people(12).filter((name) => name !== 'to-03');
    for (const name of refused) expect(await queue.isRefused(database.db, mailboxOf(name))).toBe(true);
    for (const name of ['to-03', 'well', 'unknown']) {
      expect(await queue.isRefused(database.db, mailboxOf(name))).toBe(false);
    }
    expect(asked).toHaveLength(14);
    // PostgreSQL reads a table of few rows whole, whatever indexes it has.
    const explained = sql.raw(`explain query plan ${String(asked[0]).replaceAll('?', "'1'")}`);
    if (dialect === 'sqlite') {
      const { rows } = await sql`${explained}`.execute(database.db);
      expect(JSON.stringify(rows)).toContain('mails_of_mailbox');
    }
    await queue.close();
    await database.close();
  });

  test('an unavailable database is logged and does not throw', async () => {
    const database = await open();
    const queue = queueOn(database, transport());
    await database.close();
    await queue.sendDue();
    expect(events).toEqual(['mail.queue-failed']);
  });
});

test.each([
  ['music@tunes.example', 'music@tunes.example'],
  ['Tunes, our house <music@tunes.example>', '"Tunes, our house" <music@tunes.example>'],
  ['"Tunes, our house" <music@tunes.example>', '"Tunes, our house" <music@tunes.example>'],
  ['Tunes (our house) <music@tunes.example>', '"Tunes (our house)" <music@tunes.example>'],
  ['a@b.example <music@tunes.example>', '"a@b.example" <music@tunes.example>'],
  ['"Tunes \\"at\\" home" <music@tunes.example>', '"Tunes \\"at\\" home" <music@tunes.example>'],
  ['music@[192.0.2.1]', '<music@[192.0.2.1]>'],
  ['Tunes <music@hörsaal.example>', 'Tunes <music@xn--hrsaal-wxa.example>'],
])('a mail of %s has one sender, an id of its domain and says that a program wrote it', async (from, sender) => {
  const [smtp, dir] = [await startSmtpSink(), await makeTempDir('outbox')];
  const mail = { id: 'm1', to: 'ann@example.org', subject: 's', text: 't', html: '<p>t</p>' };
  const post = smtpTransport(smtp.url, from);
  await post.send(mail);
  post.close();
  await outboxTransport({ folder: dir.path, from, clock, log: createLog('silent') }).send(mail);
  const judged = [await smtp.waitForMail('ann@example.org'), ...(await readOutbox(dir.path))];
  await smtp.stop();
  await dir.remove();
  expect(judged[0]?.headers.get('from')).toBe(sender);
  for (const { headers } of judged) {
    const domain = sender.replaceAll(/^.*@|>/gu, '');
    expect(headers.get('message-id')).toBe(`<m1@${domain}>`);
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('x-auto-response-suppress')).toBe('All');
    expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(0);
  }
});

describe('mail', () => {
  const minute = 60_000;
  const hour = 60 * minute;

  describeEachDialect('mail through a real server', (makeDatabaseUrl) => {
    let smtp: SmtpSink;
    let app: TestApp;
    let url: string;
    const startWith = (smtpUrl: string, clock = createFakeClock()) =>
      startTestApp({
        env: { SMTP_URL: smtpUrl, MAIL_FROM: 'Tunes <hello@tunes.example>' },
        databaseUrl: url,
        clock,
      });
    beforeAll(async () => {
      smtp = await startSmtpSink();
      url = await makeDatabaseUrl();
      app = await startWith(smtp.url);
    });
    afterAll(async () => {
      await app.close();
      await smtp.stop();
    });
    afterEach(() => smtp.setMood('accepts'));

    const signUp = (name: string) =>
      app.visitor().call('POST /api/accounts/sign-up', { name, email: emailOf(name), password: goodPassword });
    const received = (name: string) => smtp.mails.filter(({ to }) => to === emailOf(name)).length;
    async function waiting(name: string) {
      const database = openDatabase(url);
      const rows = await database.db.selectFrom('mails').selectAll().where('recipient', '=', emailOf(name)).execute();
      await database.close();
      return rows;
    }

    test('sends the link, and keeps no copy of it', async () => {
      await signUp('Ann');
      const mail = await smtp.waitForMail(emailOf('Ann'));
      expect(mail.subject).toBe('Verify your email for Tunemate');
      expect(mail.links[0]).toMatch(/\/auth\/action\?mode=verifyEmail&oobCode=[\w-]{43}$/);
      await app.app.runBackground();
      expect(await waiting('Ann')).toMatchObject([{ text: '', html: '', attempts: 1 }]);
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
      expect(mail.headers.get('message-id')).toMatch(/@tunes\.example>$/);
    });

    test('stores a sign-up whose mail can’t go out, and tries again with growing pauses', async () => {
      smtp.setMood('defers');
      expect((await signUp('Bob')).status).toBe(200);
      await app.app.runBackground();
      expect(await waiting('Bob')).toMatchObject([{ attempts: 1, sent_at_ms: null }]);
      await app.app.runBackground();
      expect(await waiting('Bob')).toMatchObject([{ attempts: 1 }]);
      app.clock.advance(30_000);
      await app.app.runBackground();
      expect(await waiting('Bob')).toMatchObject([{ attempts: 2 }]);
      smtp.setMood('accepts');
      app.clock.advance(minute);
      await app.app.runBackground();
      expect(received('Bob')).toBe(1);
      app.clock.advance(hour);
      await app.app.runBackground();
      expect(received('Bob')).toBe(1);
    });

    const ticketOf = async (name: string, email = emailOf(name)) => {
      const { result } = await app
        .visitor()
        .call('POST /api/accounts/sign-up', { name, email, password: goodPassword });
      return result.ok ? result.value.ticket : '';
    };
    const resend = async (ticket: string) =>
      (await app.visitor().call('POST /api/accounts/resend-verification', { ticket })).result;
    const doesNotTakeMail = { ok: false, error: { code: 'auth/mail-refused' } };

    test.each([
      ['refuses', 'Gone', 'gone@example.org', '550 5.1.1'],
      ['takes ASCII', 'Rene', 'rené@example.org', '553 5.6.7'],
      ['refuses text', 'Spam', 'spam@example.org', '554 5.7.1'],
    ] as const)(
      'a mail that is refused for good (%s) is not tried again, and a resend says so (ACCT-60)',
      async (...row) => {
        const [mood, name, email, reply] = row;
        smtp.setMood(mood);
        const before = app.log.length;
        const ticket = await ticketOf(name, email);
        await app.app.runBackground();
        smtp.setMood('accepts');
        expect(await resend(ticket)).toEqual(doesNotTakeMail);
        for (let passed = 0; passed < 3; passed += 1) {
          app.clock.advance(hour);
          await app.app.runBackground();
        }
        const lines = app.log.slice(before).filter(({ event }) => event.startsWith('mail.'));
        expect(lines).toMatchObject([{ event: 'mail.refused', level: 'warn', fields: { attempt: 1, reply } }]);
        expect(JSON.stringify(lines)).not.toContain(email);
        // Signing up again is a new attempt, and after it the older refusal counts no more.
        const again = await ticketOf(name, email);
        await app.app.runBackground();
        expect(await resend(again)).toEqual({ ok: true, value: {} });
        await app.app.runBackground();
      },
    );

    test('a refused notice to a known address answers a resend as any other refused mail', async () => {
      const known = 'known@example.org';
      const ticket = await ticketOf('Known', known);
      const code = new URL((await smtp.waitForMail(known, 1)).links[0] ?? app.url).searchParams.get('oobCode') ?? '';
      await app.visitor().call('POST /api/accounts/verify-email', { oobCode: code });
      expect(await resend(ticket)).toEqual({ ok: false, error: { code: 'auth/already-verified' } });
      smtp.setMood('refuses');
      app.clock.advance(1);
      const decoy = await ticketOf('Eve', known);
      await app.app.runBackground();
      expect(await resend(decoy)).toEqual(doesNotTakeMail);
    });

    test.each([
      ['refuses sender', 'Later'],
      ['relays nothing', 'Relay'],
      ['blocks us', 'Blocked'],
      ['asks for DMARC', 'Dmarc'],
    ] as const)(
      'a refusal of us and not of the person is tried again: the operator can mend it (%s)',
      async (mood, name) => {
        smtp.setMood(mood);
        const ticket = await ticketOf(name);
        await app.app.runBackground();
        // No mail gets through: 'on its way' would not be true.
        expect(await resend(ticket)).toMatchObject({ ok: false, error: { code: 'server/unavailable' } });
        smtp.setMood('accepts');
        app.clock.advance(hour);
        await app.app.runBackground();
        expect(received(name)).toBeGreaterThan(0);
        expect(await resend(ticket)).toEqual({ ok: true, value: {} });
        await app.app.runBackground();
      },
    );

    test('gives up after 24 hours', async () => {
      smtp.setMood('defers');
      await signUp('Cleo');
      for (let passed = 0; passed < 25; passed += 1) {
        await app.app.runBackground();
        app.clock.advance(hour);
      }
      await app.app.runBackground();
      smtp.setMood('accepts');
      app.clock.advance(2 * hour);
      await app.app.runBackground();
      expect(received('Cleo')).toBe(0);
      expect(app.log.filter(({ event }) => event === 'mail.given-up')).toHaveLength(1);
    });

    test('says so when a resend can’t go out now, for a known address alike, and sends it later', async () => {
      const fresh = await signUp('Dora');
      await signUp('Doris');
      const link = (await smtp.waitForMail(emailOf('Doris'))).links[0] ?? '';
      const oobCode = new URL(link).searchParams.get('oobCode') ?? '';
      await app.visitor().call('POST /api/accounts/verify-email', { oobCode });
      const known = await signUp('Doris');
      await smtp.waitForMail(emailOf('Doris'), 2);
      await smtp.waitForMail(emailOf('Dora'));
      await app.close();
      const dead = await startWith('smtp://127.0.0.1:9', app.clock);
      try {
        for (const { result } of [fresh, known]) {
          const ticket = result.ok ? result.value.ticket : '';
          const resent = await dead.visitor().call('POST /api/accounts/resend-verification', { ticket });
          expect(resent).toMatchObject({ status: 503, result: { ok: false, error: { code: 'server/unavailable' } } });
        }
      } finally {
        await dead.close();
        app = await startWith(smtp.url, app.clock);
      }
      app.clock.advance(hour);
      await app.app.runBackground();
      expect([received('Dora'), received('Doris')]).toEqual([2, 2]);
    });
  });

  describe('a mail server that takes the connection and says nothing', () => {
    test('a slow mail server delays no request', async () => {
      const smtp = await startSmtpSink();
      smtp.setMood('hangs');
      const app = await startTestApp({ env: { SMTP_URL: smtp.url } });
      const payload = { name: 'Ann', email: emailOf('Ann'), password: goodPassword };
      const { status } = await app.visitor().call('POST /api/accounts/sign-up', payload);
      expect(status).toBe(200);
      // First, or the end of the app would wait for it.
      await smtp.stop();
    });
  });

  describe('the outbox', () => {
    test('says each link in the log', async () => {
      const app = await startTestApp();
      await app
        .visitor()
        .call('POST /api/accounts/sign-up', { name: 'A', email: emailOf('Ann'), password: goodPassword });
      const code = await app.codeFor(emailOf('Ann'));
      const link = `${app.url}/auth/action?mode=verifyEmail&oobCode=${code}`;
      await expect.poll(() => app.log.find(({ event }) => event === 'mail.written')?.fields).toMatchObject({ link });
    });

    test('says the genuine link in the log, whatever the name has in it', async () => {
      const app = await startTestApp();
      const payload = { name: 'http://evil.example/verify', email: emailOf('Eve'), password: goodPassword };
      await app.visitor().call('POST /api/accounts/sign-up', payload);
      const code = await app.codeFor(emailOf('Eve'));
      const link = `${app.url}/auth/action?mode=verifyEmail&oobCode=${code}`;
      await expect.poll(() => app.log.find(({ event }) => event === 'mail.written')?.fields).toMatchObject({ link });
    });
  });

  describe('templates', () => {
    const verification = (...[link, language]: Parameters<typeof passwordResetMail>) =>
      verificationMail(link, language, 48);
    const templates = [verification, passwordResetMail, alreadyRegisteredMail];
    const link = 'https://a.example/x?a=1&b=2';

    test('have one link, found also behind the name of a mail that was stored before', () => {
      for (const { text } of templates.map((template) => template(link, 'en'))) {
        expect(linkOf(text)).toBe(link);
        expect(linkOf(`Hello http://evil.example,\n\n${text}`)).toBe(link);
      }
      expect(linkOf('nothing')).toBeUndefined();
    });

    test.each(templates)('hold no word but our own, and one link', (template) => {
      const { html, text, subject } = template(link, 'en');
      expect(text).toMatch(/^Hello,\n/);
      expect(html).toMatch(/<p [^>]*>Hello,<\/p>/);
      expect(html).toContain('href="https://a.example/x?a=1&amp;b=2"');
      expect(text).toContain(link);
      expect(subject).not.toContain('\n');
    });

    test('compare a sign-up by its number, and nothing else has one', () => {
      const { html, text } = verification(link, 'en');
      expect(text).toContain('The page where you signed up shows the number 48.');
      expect(html).toContain('>48</td>');
      expect(passwordResetMail(link, 'en').text).not.toContain('number');
    });
  });
});

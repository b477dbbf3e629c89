/** The queue of mails over real databases: many at once, two processes, and a stop in the middle. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { seededIds } from '@tunemate/testkit/seeded-ids';
import { expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from '../storage/database.ts';
import { mailQueue, type MailTransport } from './mail-queue.ts';

const clock = createFakeClock();

/** Notes what it is given; a mail to "held" waits until it is let go. */
function transport() {
  const sent: string[] = [];
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const post: MailTransport = {
    async send({ to }) {
      sent.push(to);
      if (to === 'held') await held;
    },
    canDeliver: () => Promise.resolve(true),
    close: () => undefined,
  };
  return { post, sent, letGo };
}

describeEachDialect('the mail queue', (makeDatabaseUrl) => {
  const events: string[] = [];
  const note = (_fields: object, event: string) => void events.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  async function open() {
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    events.length = 0;
    return database;
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

  test('sends all that is due, however many there are, the oldest first', async () => {
    const database = await open();
    const line = transport();
    const queue = queueOn(database, line);
    await enqueue(database, queue, people(45));
    await queue.sendDue();
    expect(line.sent).toEqual(people(45));
    await queue.close();
    await database.close();
  });

  test('two processes send each mail once', async () => {
    const database = await open();
    const [one, two] = [transport(), transport()];
    const queues = [queueOn(database, one), queueOn(database, two)] as const;
    await enqueue(database, queues[0], people(10));
    await Promise.all(queues.map((queue) => queue.sendDue()));
    expect([...one.sent, ...two.sent].toSorted()).toEqual(people(10));
    for (const queue of queues) await queue.close();
    await database.close();
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
    line.letGo();
    await sending;
    expect(line.sent).toEqual(['held', 'later']);
    await queue.close();
    await database.close();
  });

  test('a stop finishes the mail that is being sent and begins no other', async () => {
    const database = await open();
    const line = transport();
    const queue = queueOn(database, line);
    await enqueue(database, queue, ['held', 'never']);
    queue.kick();
    await expect.poll(() => line.sent).toEqual(['held']);
    const closing = queue.close();
    line.letGo();
    await closing;
    await queue.sendDue();
    expect(line.sent).toEqual(['held']);
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

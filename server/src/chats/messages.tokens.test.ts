/** What a message spends of its limits: once, however often its write runs, and nothing where it is not stored. */
import { type Payload, userStream, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { closedWithTest } from '@tunemate/testkit/closed-with-test';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { callerOf, insertUsers } from '@tunemate/testkit/worlds/people';
import { expect, test } from 'vitest';
import { createLimits, type Limits } from '../access/limits.ts';
import type { Pair } from '../access/subjects.ts';
import { migrate, openDatabase } from '../storage/database.ts';
import { StreamRecord, together } from '../storage/record.ts';
import { createLog } from '../system/logging.ts';
import { keptBytes } from './kept-bytes.ts';
import { messagesService } from './messages.ts';

const dayMs = 24 * 60 * 60 * 1000;

describeEachDialect('what a message spends', (makeDatabaseUrl) => {
  async function open(sizes: { strangers: number; kilobytes: number }) {
    const database = openDatabase(await makeDatabaseUrl());
    closedWithTest(() => database.close());
    await migrate(database);
    const clock = createFakeClock();
    const record = new StreamRecord(database, clock);
    const sized = (burst: number) => [{ burst, everyMs: dayMs / burst }];
    const limits = createLimits({
      clock,
      scale: 1,
      sizes: { strangers: sized(sizes.strangers), storedKilobytes: sized(sizes.kilobytes) },
    });
    const names = ['Ivo', 'Ada', 'Bob', 'Eve', 'Mia'];
    const uids = await insertUsers(
      record.db,
      names.map((name) => ({ name, nowMs: clock.now() })),
    );
    const serve = (taking: Pick<Limits, 'take' | 'giveBack'>) => {
      const kept = keptBytes({ limits: taking, clock, mostBytes: Infinity });
      const { handlers } = messagesService({
        record,
        log: createLog('silent'),
        notify: () => undefined,
        limits: taking,
        kept,
      });
      return async (from: Uid, to: Uid, text = 'hello', extra: Partial<Payload<'chats/send'>> = {}) => {
        const write: Pair['write'] = (others, work) =>
          record.write(together([userStream(from), userStream(to)], others), work);
        const pair = { caller: callerOf(from), other: to, write };
        const sent = await handlers['chats/send'](pair, { uid: to, text, clientId: newClientId(), ...extra });
        return sent.ok ? 'ok' : sent.error.code;
      };
    };
    return { record, limits, serve, uids: uids as [Uid, Uid, Uid, Uid, Uid] };
  }

  test('once, also where another write of its commit fails', async () => {
    const w = await open({ strangers: 2, kilobytes: 2 });
    const [ivo, ada, bob, eve] = w.uids;
    const send = w.serve(w.limits);
    const [begun, held] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const before = w.record.write([userStream(ivo)], () => {
      begun.resolve(undefined);
      return held.promise;
    });
    await begun.promise;
    // Behind it waits the message, and then a write that fails: they share a commit.
    const sent = send(ada, ivo);
    await new Promise(setImmediate);
    const failing = w.record.write([userStream(ivo)], () => Promise.reject(new Error('this one')));
    held.resolve(undefined);
    await Promise.allSettled([before, failing]);
    expect(await sent).toBe('ok');
    expect(await w.limits.peek('storedKilobytes', ada)).toMatchObject({ ok: true });
    expect([await send(bob, ivo), await send(eve, ivo)]).toEqual(['ok', 'limit/too-many']);
  });

  test('nothing where it is refused', async () => {
    const w = await open({ strangers: 1, kilobytes: 1 });
    const [ivo, ada] = w.uids;
    const send = w.serve(w.limits);
    for (let n = 0; n < 3; n += 1)
      expect(await send(ada, ivo, '', { imageId: newClientId() })).toBe('access/not-found');
    expect(await send(ada, ivo)).toBe('ok');
  });

  test('nothing where it is sent again, which is answered with what is stored after the last token too', async () => {
    const w = await open({ strangers: 1, kilobytes: 1 });
    const [ivo, ada] = w.uids;
    const send = w.serve(w.limits);
    const clientId = newClientId();
    const again = () => send(ada, ivo, 'hello', { clientId });
    expect([await again(), await again(), await again()]).toEqual(['ok', 'ok', 'ok']);
    expect(await send(ada, ivo)).toBe('limit/stored-today');
  });

  test('no stream is held while the limits are asked', async () => {
    const w = await open({ strangers: 10, kilobytes: 10 });
    const [ivo, ada] = w.uids;
    const others: string[] = [];
    const asSlow = async <Answer>(draw: () => Promise<Answer>): Promise<Answer> => {
      // Would wait for ever behind the streams of the message.
      await w.record.write([userStream(ivo), userStream(ada)], () => Promise.resolve());
      others.push('written');
      return await draw();
    };
    const send = w.serve({
      take: (...asked) => asSlow(() => w.limits.take(...asked)),
      giveBack: (...asked) => asSlow(() => w.limits.giveBack(...asked)),
    });
    expect(await send(ada, ivo)).toBe('ok');
    expect(others).toHaveLength(2);
  });
});

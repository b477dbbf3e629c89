import { createClient } from '@redis/client';
import { limits } from '@tunemate/testkit/extent';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { freePort } from '@tunemate/testkit/services/free-port';
import { startRedis } from '@tunemate/testkit/services/redis';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../system/logging.ts';
import { ConnectionRateLimit, createLimits, type Limits, isWithinJsonLimits, refusalLog } from './limits.ts';
import { redisRateLimitStore, type RedisRateLimitStore } from './redis-rate-limit-store.ts';

const minute = 60_000;

/** How many of 30 misses in ten minutes are counted, of which ten may be: ten at once, and two a minute. */
async function missesInTenMinutes(limits: Limits, clock: { advance(ms: number): void }, key: string): Promise<number> {
  let counted = 0;
  const miss = async () => void (counted += (await limits.take('lookUpMisses', key)).ok ? 1 : 0);
  for (let n = 0; n < 10; n += 1) await miss();
  for (let n = 0; n < 19; n += 1) {
    clock.advance(minute / 2);
    await miss();
  }
  return counted;
}

async function takeMany(limits: Limits, count: number, key = 'ann'): Promise<number> {
  let taken = 0;
  for (let call = 0; call < count; call += 1) taken += (await limits.take('roomCreate', key)).ok ? 1 : 0;
  return taken;
}

async function lockNobodyOut(limits: Limits, clock: { advance(ms: number): void }, key: string): Promise<void> {
  clock.advance(24 * 60 * minute);
  expect(await missesInTenMinutes(limits, clock, key)).toBe(10);
  expect(await takeMany(limits, 8, key)).toBe(5);
  clock.advance(-24 * 60 * minute);
  expect(await missesInTenMinutes(limits, clock, key)).toBe(10);
  expect(await takeMany(limits, 8, key)).toBe(5);
  clock.advance(minute);
  expect(await takeMany(limits, 8, key)).toBe(1);
}

describe('limits', () => {
  test('let a burst pass, then one call at a time as tokens come back (HTTP-12)', async () => {
    const clock = createFakeClock();
    const limits = createLimits({ clock, scale: 1 });
    expect(await takeMany(limits, 8)).toBe(5);
    expect(await limits.take('roomCreate', 'ann')).toEqual({
      ok: false,
      error: { code: 'limit/too-many', retryAfterMs: minute },
    });
    clock.advance(minute);
    expect(await takeMany(limits, 3)).toBe(1);
    clock.advance(10 * minute);
    expect(await takeMany(limits, 8)).toBe(5);
  });

  test('count each key for itself (HTTP-12)', async () => {
    const limits = createLimits({ clock: createFakeClock(), scale: 1 });
    await takeMany(limits, 5, 'ann');
    expect(await takeMany(limits, 5, 'bob')).toBe(5);
  });

  test('count an IPv6 network, the /56 and the /48 around it together, alone and within a longer key', async () => {
    for (const rest of ['', '|ann@example.org']) {
      const limits = createLimits({ clock: createFakeClock(), scale: 1 });
      const fromAll = async (networks: readonly string[]) => {
        let taken = 0;
        for (const network of networks) taken += await takeMany(limits, 8, `${network}${rest}`);
        return taken;
      };
      const within = (prefix: string) => Array.from({ length: 16 }, (_each, n) => `${prefix}${n.toString(16)}`);
      expect(await fromAll(['2001:db8:1:0'])).toBe(5);
      expect(await fromAll(within('2001:db8:1:'))).toBe(15);
      const blocks = Array.from({ length: 12 }, (_each, n) => within(`2001:db8:1:${(n + 1).toString(16)}0`)).flat();
      expect(await fromAll(blocks)).toBe(60);
      expect(await fromAll(['2001:db8:2:0', '198.51.100.7'])).toBe(10);
    }
  });

  test('give a token back to all the buckets it came from (HTTP-12)', async () => {
    const limits = createLimits({ clock: createFakeClock(), scale: 1 });
    expect(await takeMany(limits, 8, '2001:db8:1:0')).toBe(5);
    for (let n = 0; n < 7; n += 1) await limits.giveBack('roomCreate', '2001:db8:1:0');
    expect(await takeMany(limits, 8, '2001:db8:1:0')).toBe(5);
  });

  test('keep the slower of two buckets: 100 sign-ins a day (HTTP-12)', async () => {
    const clock = createFakeClock();
    const limits = createLimits({ clock, scale: 1 });
    let taken = 0;
    for (let call = 0; call < 400; call += 1) {
      taken += (await limits.take('signIn', 'ann')).ok ? 1 : 0;
      clock.advance(3 * minute);
    }
    // 20 hours: the burst of the day's bucket, and what came back meanwhile.
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(100 + Math.ceil((20 / 24) * 100));
  });

  test('take several tokens for one costly call, and no more than a whole burst (HTTP-12)', async () => {
    const clock = createFakeClock();
    const limits = createLimits({ clock, scale: 1 });
    expect((await limits.take('roomCreate', 'ann', 3)).ok).toBe(true);
    expect(await limits.take('roomCreate', 'ann', 4)).toMatchObject({ error: { retryAfterMs: 2 * minute } });
    expect(await takeMany(limits, 5)).toBe(2);
    clock.advance(5 * minute);
    expect((await limits.take('roomCreate', 'ann', 1000)).ok).toBe(true);
    expect(await takeMany(limits, 5)).toBe(0);
  });

  test('lock no user out after the clock was a day ahead and is set right', async () => {
    const clock = createFakeClock();
    await lockNobodyOut(createLimits({ clock, scale: 1 }), clock, 'ann');
  });

  test('multiply by RATE_LIMIT_SCALE, and 0 lifts them', async () => {
    const clock = createFakeClock();
    expect(await takeMany(createLimits({ clock, scale: 2 }), 30)).toBe(10);
    expect(await takeMany(createLimits({ clock, scale: 0 }), 30)).toBe(30);
    expect(await takeMany(createLimits({ clock, scale: 0.001 }), 30)).toBe(1);
  });

  test('forget full buckets once there are very many, and no other (HTTP-12)', async () => {
    const clock = createFakeClock();
    const limits = createLimits({ clock, scale: 1 });
    await takeMany(limits, 5, 'early');
    clock.advance(4 * minute);
    await takeMany(limits, 5, 'late');
    clock.advance(minute);
    for (let visitor = 0; visitor < 20_000; visitor += 1) await limits.take('roomCreate', `visitor ${String(visitor)}`);
    expect(await takeMany(limits, 8, 'early')).toBe(5);
    expect(await takeMany(limits, 8, 'late')).toBe(1);
    expect(await takeMany(limits, 8, 'visitor 0')).toBe(4);
  });

  test('in no ten minutes are more guesses counted than a window holds, and each leaves it by itself', async () => {
    const clock = createFakeClock();
    const limits = createLimits({ clock, scale: 1 });
    expect(await missesInTenMinutes(limits, clock, 'ann')).toBe(10);
    expect(await limits.take('lookUpMisses', 'ann')).toMatchObject({ error: { retryAfterMs: minute / 2 } });
    clock.advance(minute / 2);
    for (let n = 0; n < 4; n += 1) expect((await limits.take('lookUpMisses', 'ann')).ok).toBe(true);
    await limits.giveBack('lookUpMisses', 'ann');
    clock.advance(9 * minute);
    let taken = 0;
    for (let n = 0; n < 12; n += 1) taken += (await limits.take('lookUpMisses', 'ann')).ok ? 1 : 0;
    expect(taken).toBe(7);
  });

  test('peeking takes no token', async () => {
    const limits = createLimits({ clock: createFakeClock(), scale: 1 });
    for (let look = 0; look < 50; look += 1) expect((await limits.peek('lookUpMisses', 'ann')).ok).toBe(true);
    for (let miss = 0; miss < 10; miss += 1) await limits.take('lookUpMisses', 'ann');
    expect((await limits.peek('lookUpMisses', 'ann')).ok).toBe(false);
  });
});

describeWithService(
  'limits shared in Redis',
  () => startRedis({ own: true }),
  (redis) => {
    const keepers: RedisRateLimitStore[] = [];
    afterEach(async () => {
      await Promise.allSettled(keepers.splice(0).map((store) => store.close()));
    });
    const process = async (key = 'a key'): Promise<Limits> => {
      // A busy machine may keep Redis from answering for longer than requests wait.
      const store = await redisRateLimitStore(redis.url, key, createLog('silent'), limits.node.poll);
      keepers.push(store);
      return createLimits({ clock, scale: 1, store });
    };
    const clock = createFakeClock();

    test('count what several processes let pass together (HTTP-15)', async () => {
      const [one, two] = [await process(), await process()];
      const taken = await Promise.all([takeMany(one, 6, 'shared'), takeMany(two, 6, 'shared')]);
      expect(taken[0] + taken[1]).toBe(5);
      clock.advance(2 * minute);
      expect(await takeMany(two, 6, 'shared')).toBe(2);
    });

    test('count apart for two databases that use one Redis, and name no person in it', async () => {
      const [one, other] = [await process(), await process('of another database')];
      for (const limits of [one, other]) expect(await takeMany(limits, 6, 'ann@example.org')).toBe(5);
      const client = await createClient({ url: redis.url }).connect();
      expect((await client.keys('*')).join()).not.toContain('ann@example.org');
      await client.close();
    });

    test('count guesses of a window together, and give them back (HTTP-15)', async () => {
      const [one, two] = [await process(), await process()];
      for (let n = 0; n < 10; n += 1) expect((await one.take('lookUpMisses', 'guessed')).ok).toBe(true);
      expect((await two.take('lookUpMisses', 'guessed')).ok).toBe(false);
      await two.giveBack('lookUpMisses', 'guessed');
      expect((await two.peek('lookUpMisses', 'guessed')).ok).toBe(true);
      expect((await two.take('lookUpMisses', 'guessed')).ok).toBe(true);
      expect((await one.peek('lookUpMisses', 'guessed')).ok).toBe(false);
      clock.advance(10 * minute);
      expect(await missesInTenMinutes(one, clock, 'guessed')).toBe(10);
    });

    test('lock no user out after the clock of the database was a day ahead and is set right', async () => {
      await lockNobodyOut(await process(), clock, 'ahead');
    });

    test('take several tokens for one costly call, over several processes too (HTTP-12)', async () => {
      const limits = await process();
      const take = async (count: number) => (await limits.take('roomCreate', 'by weight', count)).ok;
      expect([await take(3), await take(3), await take(2), await take(1)]).toEqual([true, false, true, false]);
    });

    test('count in each process while Redis is unreachable (HTTP-15)', async () => {
      const limits = await process();
      await redis.kill();
      expect(await takeMany(limits, 12, 'alone')).toBe(5);
      await redis.restart();
    });

    test('peeking takes no token, over several processes too', async () => {
      const [one, two] = [await process(), await process()];
      for (let look = 0; look < 20; look += 1) expect((await one.peek('roomCreate', 'peeked')).ok).toBe(true);
      expect(await takeMany(two, 8, 'peeked')).toBe(5);
      expect((await one.peek('roomCreate', 'peeked')).ok).toBe(false);
    });

    test('count in each process while Redis does not answer, and together again once it does (HTTP-15)', async () => {
      const line = await startTcpFaultProxy({ targetPort: Number(new URL(redis.url).port) });
      const events: string[] = [];
      const note = (_fields: object, event: string) => void events.push(event);
      const log = { debug: () => undefined, info: note, warn: note, error: note };
      const store = await redisRateLimitStore(`redis://127.0.0.1:${String(line.port)}`, 'a key', log);
      const [far, near] = [createLimits({ clock, scale: 1, store }), await process()];
      line.stall();
      expect(await takeMany(far, 6, 'stalled')).toBe(5);
      line.resume();
      const isShared = async () => {
        await far.peek('roomCreate', 'stalled');
        return events;
      };
      await expect.poll(isShared).toEqual(['limits.counted-locally', 'limits.shared-again']);
      expect((await takeMany(near, 3, 'together')) + (await takeMany(far, 3, 'together'))).toBe(5);
      await store.close();
      await line.stop();
    });

    test('not each request waits for a Redis that does not answer, nor does a stop (HTTP-15)', async () => {
      const line = await startTcpFaultProxy({ targetPort: Number(new URL(redis.url).port) });
      const store = await redisRateLimitStore(`redis://127.0.0.1:${String(line.port)}`, 'a key', createLog('silent'));
      const limits = createLimits({ clock, scale: 1, store });
      const timed = async (act: () => Promise<unknown>): Promise<number> => {
        const startMs = performance.now();
        await act();
        return performance.now() - startMs;
      };
      line.stall();
      const first = await timed(() => takeMany(limits, 1, 'waits'));
      expect(await timed(() => takeMany(limits, 20, 'goes on'))).toBeLessThan(10 * first);
      await store.close();
      await line.stop();
    });

    test('a Redis that can’t be reached at the start is a failure, after some tries (HTTP-15)', async () => {
      const nothing = `redis://127.0.0.1:${String(await freePort())}`;
      const failure = { code: 'server/unavailable', message: 'limits.redis-unreachable' };
      await expect(redisRateLimitStore(nothing, 'a key', createLog('silent'))).rejects.toMatchObject(failure);
    });

    test('a Redis that says nothing at the start is a failure as well (HTTP-15)', async () => {
      const line = await startTcpFaultProxy({ targetPort: Number(new URL(redis.url).port) });
      line.stall();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const opening = redisRateLimitStore(`redis://127.0.0.1:${String(line.port)}`, 'a key', createLog('silent'));
      const failed = expect(opening).rejects.toMatchObject({ message: 'limits.redis-unreachable' });
      await vi.waitUntil(() => vi.getTimerCount() > 0, { timeout: limits.node.poll });
      vi.advanceTimersByTime(30_000);
      vi.useRealTimers();
      await failed;
      await line.stop();
    });

    test('a wrong password is named as the cause of a failed start', async () => {
      const url = redis.url.replace('redis://', 'redis://nobody:wrong@');
      const cause = { message: expect.stringMatching(/^WRONGPASS/) as string };
      await expect(redisRateLimitStore(url, 'a key', createLog('silent'))).rejects.toMatchObject({ cause });
    });
  },
);

/** How many values a message may have; requests.bad-input.test.ts sends the other shapes to a server. */
describe('JSON limits', () => {
  test('a message of more than twenty thousand values is too much, however flat (WIRE-12)', () => {
    const list = (length: number) => ({ uids: Array.from({ length }, () => 1) });
    // The message and its list are values too.
    expect([isWithinJsonLimits(list(19_998)), isWithinJsonLimits(list(19_999))]).toEqual([true, false]);
  });
});

test('a refusal is logged with its bound once for each network or person and hour, and names no mailbox', async () => {
  const clock = createFakeClock();
  const lines: object[] = [];
  const log = { ...createLog('silent'), info: (fields: object) => void lines.push(fields) };
  const limits = createLimits({ clock, scale: 1, refused: refusalLog({ clock, log }) });
  for (let n = 0; n < 40; n += 1) {
    await limits.take('signIn', '192.0.2.1|ann@example.org');
    await limits.take('pair', 'ada>bob');
    await limits.take('signUpMails', 'ann@example.org');
  }
  const hour = [
    { bound: 'signIn', of: 'network', who: '192.0.2.1' },
    { bound: 'signUpMails', of: 'recipient' },
    { bound: 'pair', of: 'pair', who: 'ada' },
  ];
  expect(lines).toEqual(expect.arrayContaining(hour));
  expect(lines).toHaveLength(3);
  clock.advance(60 * minute);
  for (let n = 0; n < 40; n += 1) await limits.take('pair', 'ada>bob');
  expect(lines.slice(3)).toEqual([{ bound: 'pair', of: 'pair', who: 'ada' }]);
});

describe('the requests of a connection', () => {
  /** After how many requests, one each `everyMs`, it is to be closed. */
  function requestsToClose(everyMs: number): number {
    let nowMs = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const limit = new ConnectionRateLimit(1);
    let taken = 0;
    while (taken < 10_000 && limit.take() !== 'close') {
      taken += 1;
      nowMs += everyMs;
    }
    now.mockRestore();
    return taken;
  }

  test.each([
    [0, 260],
    [1, 270],
    [10, 408],
    [20, 1100],
  ])('that come every %d ms close it after %d, however many pass in between', (everyMs, requests) => {
    expect(Math.abs(requestsToClose(everyMs) - requests)).toBeLessThanOrEqual(8);
  });

  test('that come at twice their pace are refused in turn, and never close it', () => {
    expect(requestsToClose(25)).toBe(10_000);
  });
});

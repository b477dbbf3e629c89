/**
 * Buckets that several processes share in Redis; one script call takes from all of them. While Redis is unreachable,
 * slow or refuses, this process counts alone: an outage lifts no limit, and no request waits for its end.
 */
import { createHmac } from 'node:crypto';
import { Failure, type Log } from '../system/ports.ts';
import { type Cell, type Draw, memoryRateLimitStore, mostSkewMs, type RateLimitStore } from './limits.ts';
import { inTime, settledWithin, within } from '../system/within.ts';

const usualPatienceMs = 250;
/** After a missing answer this process counts alone for so long: only one request in it waits for the next one. */
const aloneMs = 1000;
const triesAtStart = 5;
/** A Redis that takes the connection and says nothing, or another program at its port, would hold up the start for ever. */
const startWithinMs = 30_000;

/**
 * KEYS: cells; ARGV: now, what to do, then for each cell everyMs, burst, and 1 for a window, which is a sorted set of the
 * times of its tokens. What was taken before the clock was set back is forgotten. Answers the wait in ms, as text.
 */
const script = `
local now, wait, next = tonumber(ARGV[1]), 0, {}
local function cell(i) return tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1]), ARGV[3 * i + 2] == '1' end
if ARGV[2] == 'return' then
  for i, key in ipairs(KEYS) do
    local every, burst, isWindow = cell(i)
    if isWindow then redis.call('ZPOPMAX', key)
    else
      local full = tonumber(redis.call('GET', key) or '0') - every
      if full > now then redis.call('SET', key, string.format('%.3f', full), 'PX', math.ceil(full - now))
      else redis.call('DEL', key) end
    end
  end
  return '0'
end
for i, key in ipairs(KEYS) do
  local every, burst, isWindow = cell(i)
  if isWindow then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - every)
    redis.call('ZREMRANGEBYSCORE', key, now + ${String(mostSkewMs)}, '+inf')
    next[i] = redis.call('ZCARD', key)
    local most = math.floor(burst)
    local before = redis.call('ZRANGE', key, -most, -most, 'WITHSCORES')
    if before[2] then wait = math.max(wait, tonumber(before[2]) + every - now) end
  else
    local full = tonumber(redis.call('GET', key) or '0')
    if full > now + burst * every + ${String(mostSkewMs)} then full = 0 end
    next[i] = math.max(full, now) + every
    wait = math.max(wait, next[i] - now - burst * every)
  end
end
if wait == 0 and ARGV[2] == 'take' then
  for i, key in ipairs(KEYS) do
    local every, burst, isWindow = cell(i)
    if isWindow then
      redis.call('ZADD', key, now, string.format('%.3f %d', now, next[i]))
      redis.call('PEXPIRE', key, math.ceil(every))
    else
      redis.call('SET', key, string.format('%.3f', next[i]), 'PX', math.ceil(next[i] - now))
    end
  end
end
return tostring(wait)`;

export interface RedisRateLimitStore extends RateLimitStore {
  close(): Promise<void>;
}

/**
 * `key` is a secret of the database: installations that use one Redis count apart, and no address of a person stands in
 * it. Throws a Failure when Redis can't be reached at the start.
 */
export async function redisRateLimitStore(
  url: string,
  key: string,
  log: Log,
  patienceMs = usualPatienceMs,
): Promise<RedisRateLimitStore> {
  const { createClient } = await import('@redis/client');
  let wasReached = false;
  const reconnectStrategy = (tries: number, cause: Error): number | Error =>
    // At the start a few attempts are made; later the client reconnects for as long as it takes.
    !wasReached && tries >= triesAtStart ? cause : Math.min(50 * 2 ** tries, 2000);
  const socket = { reconnectStrategy, connectTimeout: 3000 };
  const client = createClient({ url, socket, disableOfflineQueue: true });
  client.on('error', (error: Error) => log.debug({ error: error.message }, 'limits.redis-error'));
  try {
    await inTime(startWithinMs, client.connect());
    wasReached = true;
  } catch (error) {
    client.destroy();
    throw new Failure('server/unavailable', 'limits.redis-unreachable', error);
  }
  const own = memoryRateLimitStore();
  let isShared = true;
  let aloneUntilMs = 0;

  function note(nowShared: boolean): void {
    if (nowShared === isShared) return;
    isShared = nowShared;
    log.warn({}, nowShared ? 'limits.shared-again' : 'limits.counted-locally');
  }

  async function drawShared(cells: readonly Cell[], nowMs: number, how: Draw): Promise<number> {
    const numbers = cells.flatMap(({ everyMs, burst, isWindow }) => [
      String(everyMs),
      String(burst),
      isWindow ? '1' : '0',
    ]);
    const call = client.eval(script, {
      keys: cells.map((cell) => `limit:${createHmac('sha256', key).update(cell.key).digest('base64url')}`),
      arguments: [String(nowMs), how, ...numbers],
    });
    const answer = await within(patienceMs, call, null);
    if (answer === null) throw new Error('no answer in time');
    return Number(answer);
  }

  return {
    async draw(cells, nowMs, how) {
      if (performance.now() < aloneUntilMs) return await own.draw(cells, nowMs, how);
      // While one request finds out whether Redis answers again, the others don't wait with it.
      if (!isShared) aloneUntilMs = performance.now() + aloneMs;
      try {
        const waitMs = await drawShared(cells, nowMs, how);
        note(true);
        aloneUntilMs = 0;
        return waitMs;
      } catch {
        note(false);
        aloneUntilMs = performance.now() + aloneMs;
        return await own.draw(cells, nowMs, how);
      }
    },
    async close() {
      // Without a connection, fail at once instead of queueing.
      if (client.isReady) await settledWithin(usualPatienceMs, [client.close()]);
      if (client.isOpen) client.destroy();
    },
  };
}

/** The recipes of deploy for several processes, with the real balancers: the times are those of `npm run bench -- proxies`. */
import { startRedis } from '@tunemate/testkit/services/redis';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { expect, test } from 'vitest';
import { proxyNames } from './proxies.ts';
import { tryProxy } from './trial.ts';

async function startServices() {
  const redis = await startRedis({ own: true });
  const postgres = await requestService('postgres');
  return { postgres, redis, stop: () => redis.stop() };
}

describeWithService('recipes', startServices, ({ postgres, redis }) => {
  // Side by side: most of it is a page that waits for a process which stands still.
  test.concurrent.each(proxyNames)(
    'behind %s all pages of a room come to one process, and to another while it is gone or stands still',
    async (name) => {
      const trial = await tryProxy(name, { postgresUrl: postgres.url, redisUrl: redis.url, rooms: 4 });
      expect(trial.together).toBe(trial.rooms);
      expect(trial.afterKill.length).toBeGreaterThan(0);
      expect(trial.afterStandstill.length).toBeGreaterThan(0);
    },
  );
});

import { createClient } from '@redis/client';
import { expect, test } from 'vitest';
import { startRedis } from './redis.ts';
import { describeWithService } from './request-service.ts';

describeWithService(
  'a Redis of our own',
  () => startRedis({ own: true }),
  (server) => {
    test('forgets everything over a crash', async () => {
      const keep = async (): Promise<string | null> => {
        const client = createClient({ url: server.url });
        await client.connect();
        const kept = await client.get('note');
        await client.set('note', 'kept');
        client.destroy();
        return kept;
      };
      expect(await keep()).toBeNull();
      expect(await keep()).toBe('kept');
      await server.kill();
      await server.restart();
      expect(await keep()).toBeNull();
    });
  },
);

/** The doorbell of two processes over a real Redis. */
import { type StreamId, userStream, type Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { createLog } from '../system/logging.ts';
import { type DoorbellMessage, redisDoorbell } from './doorbell.ts';

const to: StreamId = userStream('A'.repeat(22) as Uid);
const entry = (change: string) => ({ seq: 1, change, expels: null });

describeWithService(
  'the doorbell',
  () => requestService('redis'),
  ({ url }) => {
    test('entries of up to 16 KiB come with their notification, longer ones are to be read (WIRE-73)', async () => {
      const [one, two] = [
        await redisDoorbell(url, 'one', createLog('silent')),
        await redisDoorbell(url, 'two', createLog('silent')),
      ];
      const heard: DoorbellMessage[] = [];
      two.onNotification((message) => heard.push(message));
      await two.follow(to);
      const short = [entry('a'.repeat(16_000))];
      one.notify({ type: 'stream-grown', to, entries: short });
      one.notify({ type: 'stream-grown', to, entries: [entry('a'.repeat(17_000))] });
      await expect.poll(() => heard).toHaveLength(2);
      expect(heard).toEqual([
        { type: 'stream-grown', to, entries: short },
        { type: 'stream-grown', to, entries: null },
      ]);
      await Promise.all([one.close(), two.close()]);
    });
  },
);

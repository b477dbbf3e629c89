/** The doorbell of two processes over a real Redis. */
import { createClient } from '@redis/client';
import { type RoomId, roomStream, type StreamId, userStream, type Uid } from '@tunemate/protocol';
import { expect, test, vi } from 'vitest';
import { limits } from '@tunemate/testkit/extent';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { createLog } from '../system/logging.ts';
import type { DoorbellMessage } from './feed.ts';
import { redisDoorbell } from './redis-doorbell.ts';

const to: StreamId = userStream('A'.repeat(22) as Uid);
const entry = (change: string) => ({ seq: 1, change, expels: null });

describeWithService(
  'the doorbell',
  () => requestService('redis'),
  ({ url }) => {
    test('entries of up to 16 KiB come with their notification, longer ones are to be read (WIRE-73)', async () => {
      const [one, two] = [
        await redisDoorbell(url, 'one', 'key', createLog('silent')),
        await redisDoorbell(url, 'two', 'key', createLog('silent')),
      ];
      const heard: DoorbellMessage[] = [];
      two.onNotification((message) => heard.push(message));
      await two.follow(to, 'feed');
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

    test('that a player has loaded is heard by those that follow its room, until the last reason for that is gone (WIRE-74)', async () => {
      const [one, two, three] = [
        await redisDoorbell(url, 'one', 'key', createLog('silent')),
        await redisDoorbell(url, 'two', 'key', createLog('silent')),
        await redisDoorbell(url, 'three', 'key', createLog('silent')),
      ];
      const heard: Record<'two' | 'three', DoorbellMessage[]> = { two: [], three: [] };
      two.onNotification((message) => heard.two.push(message));
      three.onNotification((message) => heard.three.push(message));
      const roomId = 'r'.repeat(22) as RoomId;
      const ready = (revision: number) => ({ type: 'ready', roomId, revision, connectionId: 'c' }) as const;
      const shown: DoorbellMessage = { type: 'shown', uids: [] };
      for (const by of ['feed', 'load-barrier'] as const) await two.follow(roomStream(roomId), by);
      one.notify(ready(1));
      await expect.poll(() => heard.two).toEqual([ready(1)]);
      two.unfollow(roomStream(roomId), 'feed');
      one.notify(ready(2));
      await expect.poll(() => heard.two).toEqual([ready(1), ready(2)]);
      two.unfollow(roomStream(roomId), 'load-barrier');
      // It is sent behind the end of the subscription.
      await two.follow(to, 'feed');
      one.notify(ready(3));
      one.notify(shown);
      await expect.poll(() => heard).toEqual({ two: [ready(1), ready(2), shown], three: [shown] });
      await Promise.all([one, two, three].map((each) => each.close()));
    });

    test('a stream that is left before its subscription was sent is followed no more (WIRE-74)', async () => {
      const doorbell = await redisDoorbell(url, 'one', 'key', createLog('silent'));
      const stream = roomStream('l'.repeat(22) as RoomId);
      const follows = doorbell.follow(stream, 'load-barrier');
      doorbell.unfollow(stream, 'load-barrier');
      await follows;
      const reader = await createClient({ url }).connect();
      await expect.poll(() => reader.pubSubChannels(`*${stream}`)).toEqual([]);
      reader.destroy();
      await doorbell.close();
    });

    test('a Redis that does not answer is missed while its connections look open, and holds up no stop (WIRE-34)', async () => {
      const line = await startTcpFaultProxy({ targetPort: Number(new URL(url).port) });
      const lines: string[] = [];
      const note = (_fields: object, event: string) => void lines.push(event);
      const log = { ...createLog('silent'), warn: note, info: note };
      const doorbell = await redisDoorbell(`redis://127.0.0.1:${String(line.port)}`, 'one', 'key', log);
      const mayHaveMissed = () => doorbell.mayHaveMissed();
      expect(mayHaveMissed()).toBe(false);
      line.stall();
      await expect.poll(mayHaveMissed).toBe(true);
      line.resume();
      await expect.poll(mayHaveMissed).toBe(false);
      expect(lines).toEqual(['doorbell.unreachable', 'doorbell.reachable-again']);
      line.stall();
      await doorbell.close();
      await line.stop();
    });

    test('a Redis that says nothing at the start is a failure (WIRE-34)', async () => {
      const line = await startTcpFaultProxy({ targetPort: Number(new URL(url).port) });
      line.stall();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const opening = redisDoorbell(`redis://127.0.0.1:${String(line.port)}`, 'one', 'key', createLog('silent'));
      const failed = expect(opening).rejects.toMatchObject({ message: 'doorbell.unreachable' });
      await vi.waitUntil(() => vi.getTimerCount() > 0, { timeout: limits.node.poll });
      vi.advanceTimersByTime(30_000);
      vi.useRealTimers();
      await failed;
      line.resume();
      await expect.poll(() => line.openConnections()).toBe(0);
      await line.stop();
    });

    test('of a program that can only write to Redis nothing is heard, nor of another database (WIRE-75)', async () => {
      const lines: string[] = [];
      const noting = { ...createLog('silent'), warn: (_fields: object, event: string) => void lines.push(event) };
      const [one, two, foreign] = [
        await redisDoorbell(url, 'one', 'key', createLog('silent')),
        await redisDoorbell(url, 'two', 'key', noting),
        await redisDoorbell(url, 'foreign', 'another key', createLog('silent')),
      ];
      const heard: DoorbellMessage[] = [];
      two.onNotification((message) => heard.push(message));
      await two.follow(to, 'feed');
      const channel = `tunemate:stream:${to}`;
      const forged: DoorbellMessage = { type: 'stream-grown', to, entries: [entry('forged')] };
      const body = JSON.stringify({ from: 'one', message: forged });
      const writer = await createClient({ url }).connect();
      foreign.notify(forged);
      await writer.publish(channel, body);
      await writer.publish(channel, `${body.slice(0, -1)},"by":"${'A'.repeat(43)}"}`);
      // A true message, with other words.
      const listener = await writer.duplicate().connect();
      const genuine = new Promise<string>((resolve) => void listener.subscribe(channel, resolve));
      await expect.poll(() => lines).toEqual(['doorbell.message-invalid']);
      one.notify({ type: 'stream-grown', to, entries: [entry('true')] });
      await writer.publish(channel, (await genuine).replace('true', 'lies'));
      one.notify({ type: 'stream-grown', to, entries: [entry('last')] });
      await expect.poll(() => heard).toHaveLength(2);
      expect(JSON.stringify(heard)).not.toMatch(/forged|lies/u);
      writer.destroy();
      listener.destroy();
      await Promise.all([one.close(), two.close(), foreign.close()]);
    });
  },
);

/** Presses of a page whose line breaks before the answer: what the person reads is what happened in the room. */
import { playbackOfDocument } from '@tunemate/domain';
import { protocolVersion, type Refusal } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { expect, test } from 'vitest';
import { createConnection } from '../../web/src/connection/connection.ts';
import type { OpenLink } from '../../web/src/connection/port.ts';
import { deviceClock } from '../../web/src/store/clock.ts';
import { createWriter } from '../../web/src/playback/host-commands.ts';
import { nodeLink } from '../faults/node-link.ts';

/** Jonas holds the remote of Ada's room, in which a track plays; his page is behind a line that can be cut. */
async function behindALine() {
  const w = await openSocketWorld();
  const [ada, jonas] = [await w.arrive('Ada'), await w.arrive('Jonas')];
  const { room } = await w.roomWith(ada, 'audio', jonas);
  valueOf(await ada.ask('playback/takeControl', { ...room, tabId: ada.tabId }));
  const intent = { type: 'choose', track: trackOf(1) } as const;
  valueOf(await ada.ask('playback/write', { ...room, tabId: ada.tabId, clientId: newClientId(), intent }));
  valueOf(await ada.ask('rooms/lendRemote', { ...room, uid: jonas.uid, isLent: true }));
  const line = await startTcpFaultProxy({ targetPort: w.app.app.port });
  /** What happens between the server's next answer and the cut of the line that loses it. */
  let meanwhile: (() => Promise<unknown>) | null = null;
  const open = nodeLink({
    ...{ url: `http://127.0.0.1:${String(line.port)}`, origin: w.app.url, cookie: jonas.cookie },
    ...{ onArrival: () => undefined, isConfused: () => false, random: () => 0 },
  });
  const openLink: OpenLink = (events) => {
    const link = open(events);
    const send: typeof link.send = (name, payload, onAnswer) => {
      const first = name === 'playback/write' ? meanwhile : null;
      if (first) meanwhile = null;
      link.send(name, payload, first ? () => void first().then(() => line.cut()) : onAnswer);
    };
    return { ...link, send };
  };
  const connection = createConnection({
    ...{ openLink, tabId: jonas.tabId, protocolVersion, owner: () => jonas.uid, random: () => 0 },
    clock: deviceClock,
  });
  const read: Refusal['code'][] = [];
  const writer = createWriter(
    {
      connection,
      ...room,
      newClientId,
      schedule: deviceClock.schedule,
      nowMs: () => performance.now(),
      seen: () => undefined,
    },
    (refusal) => refusal && read.push(refusal.code),
  );
  connection.start();
  await expect.poll(() => connection.status.get().status).toBe('live');
  return {
    ...{ writer, read, line },
    loseAnswer: (before: () => Promise<unknown> = () => Promise.resolve()) => void (meanwhile = before),
    takeRemote: async () => valueOf(await ada.ask('rooms/lendRemote', { ...room, uid: jonas.uid, isLent: false })),
    isPlaying: async () => playbackOfDocument(valueOf(await ada.ask('rooms/enter', room)).playback).timeline.isPlaying,
    async close() {
      writer.close();
      connection.stop();
      await line.stop();
      await w.close();
    },
  };
}

test('a press that the server took before the line broke counts, and the person reads nothing else (REMOTE-4)', async () => {
  const page = await behindALine();
  page.loseAnswer();
  await page.writer.send({ type: 'pause' });
  expect([await page.isPlaying(), page.read]).toEqual([false, []]);
  await page.close();
});

test('a press that the broken line swallowed never counts, and the person reads so (REMOTE-4)', async () => {
  const page = await behindALine();
  page.line.stall();
  const pressed = page.writer.send({ type: 'pause' });
  page.line.cut();
  page.line.resume();
  await pressed;
  expect([await page.isPlaying(), page.read]).toEqual([true, ['playback/given-up']]);
  await page.close();
});

test('a press that counted is not said to be refused because the remote was taken meanwhile (REMOTE-4)', async () => {
  const page = await behindALine();
  page.loseAnswer(page.takeRemote);
  await page.writer.send({ type: 'pause' });
  expect([await page.isPlaying(), page.read]).toEqual([false, []]);
  await page.writer.send({ type: 'play' });
  expect([await page.isPlaying(), page.read]).toEqual([false, ['room/host-only']]);
  await page.close();
});

/** The database statements of the three most frequent requests. */
import type { VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld } from '@tunemate/testkit/socket-world';

test('WIRE-65 a playback request, a message in a room and an accept stay within their number of statements', async () => {
  const statements: string[] = [];
  const w = await openSocketWorld({ onStatement: (statement) => statements.push(statement) });
  const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const room = await w.room(host, 'video');
  await w.seat(host, guest, room);
  for (const tab of [host, guest]) valueOf(await tab.ask('rooms/enter', room));
  const { tabId } = host;
  valueOf(await host.ask('playback/takeControl', { ...room, tabId }));
  const track = { videoId: 'lib_0123456789abcdef' as VideoId, title: 'Rain', durationSeconds: 90 };
  const write = (intent: { type: 'choose'; track: typeof track } | { type: 'play' } | { type: 'pause' }) =>
    host.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent });
  valueOf(await write({ type: 'choose', track }));

  /** The least of several rounds: what the background asks for meanwhile is not counted. */
  async function costOf(act: (round: number) => Promise<unknown>): Promise<number> {
    const costs: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      statements.length = 0;
      await act(round);
      costs.push(statements.length);
    }
    return Math.min(...costs);
  }

  const costs = {
    press: await costOf(async (round) => valueOf(await write({ type: round % 2 === 0 ? 'pause' : 'play' }))),
    message: await costOf(async () =>
      valueOf(await guest.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hi' })),
    ),
    approved: await costOf(async (round) => {
      const asker = await w.arrive(`Ada ${String(round)}`);
      statements.length = 0;
      await w.seat(host, asker, room);
    }),
  };
  process.stdout.write(`statements ${JSON.stringify(costs)}\n`);
  expect(costs.press).toBeLessThanOrEqual(15);
  expect(costs.message).toBeLessThanOrEqual(16);
  expect(costs.approved).toBeLessThanOrEqual(49);
  await w.close();
});

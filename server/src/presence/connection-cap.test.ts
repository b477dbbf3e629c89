/** Ten tabs and devices a person, however many ask at the same moment and of whichever process. */
import { randomUUID } from 'node:crypto';
import type { TabId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { codeOf } from '@tunemate/testkit/answers';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';

describeEachDialect('tabs of one person', (makeDatabaseUrl, dialect) => {
  test.each([
    [10, '1'],
    [20, '2'],
  ])(
    'of 30 connections at once %i are accepted at a scale of %s, over all processes (PRES-20)',
    async (most, scale) => {
      const options = { databaseUrl: await makeDatabaseUrl(), env: { RATE_LIMIT_SCALE: scale } };
      const first = await openSocketWorld(options);
      const worlds =
        dialect === 'sqlite' ? [first] : [first, await openSocketWorld({ ...options, clock: first.clock })];
      const ada = await first.person('Ada');
      const opening = Array.from({ length: 30 }, async (_, n) => {
        const world = worlds[n % worlds.length] ?? first;
        return await world.connect(ada, randomUUID() as TabId);
      });
      const settled = await Promise.allSettled(opening);
      const tabs = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
      expect([tabs.length, new Set(refusals)]).toEqual([most, new Set(['Error: limit/too-many'])]);
      // Accepted connections are served, and a place that one gives up is free for another.
      for (const tab of tabs) expect(codeOf(await tab.ask('chats/list', {}))).toBe('ok');
      if (tabs[0]) await first.leave(tabs[0]);
      expect((await first.connect(ada)).uid).toBe(ada.uid);
      await expect(first.connect(ada)).rejects.toThrow('limit/too-many');
      await Promise.all(worlds.map((world) => world.close()));
    },
  );
});

/** A process loses its database while people are connected to it. */
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { expect, test } from 'vitest';

describeWithService(
  'a process without its database',
  () => requestService('postgres'),
  ({ url }) => {
    test('sends everyone away, and they count as online for 40 s, as after any loss', async () => {
      const database = await createDatabase(url);
      const proxy = await startTcpFaultProxy({ targetPort: Number(new URL(url).port) });
      const proxied = new URL(database.url);
      proxied.port = String(proxy.port);
      const world = await openSocketWorld({ databaseUrl: proxied.href });
      const mara = await world.arrive('Mara');
      expect(await world.stateOf(mara)).toBe('online');

      proxy.close();
      await world.app.app.runBackground();
      await world.app.app.runBackground();
      expect(mara.goodbyes).toEqual([]);
      await world.app.app.runBackground();
      await expect.poll(() => mara.goodbyes).toEqual([{ code: 'server/unavailable' }]);
      await expect.poll(() => mara.socket.connected).toBe(false);

      proxy.reopen();
      // The end could not be stored at its time.
      await expect.poll(async () => (await world.app.app.runBackground(), await world.openTabs(mara))).toBe(0);
      await world.pass(30_000);
      expect(await world.stateOf(mara)).toBe('online');
      await world.pass(15_000);
      expect(await world.stateOf(mara)).toBe('offline');
      await world.close();
      await proxy.stop();
      await database.drop();
    });
  },
);

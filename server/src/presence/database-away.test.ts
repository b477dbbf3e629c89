/** A process loses its database while people are connected to it. */
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { codeOf, newClientId } from '@tunemate/testkit/answers';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';

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

    test('lets people come back and read while it takes no writes, and stores later who is there', async () => {
      const database = await createDatabase(url);
      const world = await openSocketWorld({ databaseUrl: database.url });
      const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
      const room = await world.roomWith(mara, 'video', ivo);
      const admin = new Client({ connectionString: database.url });
      await admin.connect();
      const takeWrites = async (isOn: boolean) => {
        const name = new URL(database.url).pathname.slice(1);
        await admin.query(`alter database ${name} set default_transaction_read_only = ${isOn ? 'off' : 'on'}`);
        const others = 'datname = current_database() and pid <> pg_backend_pid()';
        await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
      };
      await takeWrites(false);
      ivo.cut();
      // As a page: the first look at a connection that was ended fails.
      const again = await vi.waitFor(() => world.connect(ivo), { timeout: 10_000 });
      expect(codeOf(await again.ask('rooms/enter', room.room))).toBe('ok');
      const message = { ...room.room, clientId: newClientId(), text: 'hello' };
      expect(codeOf(await again.ask('rooms/sendMessage', message))).toBe('server/unavailable');

      await takeWrites(true);
      await expect.poll(async () => codeOf(await again.ask('rooms/sendMessage', message))).toBe('ok');
      await world.app.app.runBackground();
      expect(await world.openTabs(ivo)).toBe(1);
      await admin.end();
      await world.close();
      await database.drop();
    });
  },
);

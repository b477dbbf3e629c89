/** A disk that takes nothing more, or is slow: what members are answered, and what the operator is told. */
import { join } from 'node:path';
import { newClientId } from '@tunemate/testkit/answers';
import { shimDisk, type ShimmedDisk } from '@tunemate/testkit/services/disks/disk-shim';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { ServiceUnavailable } from '@tunemate/testkit/services/system-programs';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { connect, makePeople } from '@tunemate/testkit/worlds/crowd';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import type { Person } from '@tunemate/testkit/worlds/people';
import { expect, test } from 'vitest';

function shimmed(folder: string): ShimmedDisk | null {
  try {
    return shimDisk(folder);
  } catch (error) {
    if (error instanceof ServiceUnavailable) return null;
    throw error;
  }
}

test(
  'a disk that is full, fails or is slow is told apart in the log, on /status and for alerts, and reading goes on (FAULT-4)',
  { timeout: 240_000 },
  async ({ skip }) => {
    await using data = await makeTempDir('disk-trouble');
    await using tools = await makeTempDir('disk-trouble-tools');
    const disk = shimmed(tools.path);
    if (disk === null) return skip('there is no C compiler');
    const url = `sqlite:${join(data.path, 'tunemate.sqlite')}`;
    const [from, to] = (await makePeople(url, 2)) as [Person, Person];
    await makeTunemates(url, [[from, to]]);
    const server = await startServerProcess({ dataDir: data.path, env: { ...disk.env, RATE_LIMIT_SCALE: '0' } });
    try {
      const member = await connect(server.url, from);
      const send = async () => {
        const message = { clientId: newClientId(), uid: to.uid, text: 'hello' };
        const sent = await member.line.request('chats/send', message);
        return sent.ok ? 'stored' : sent.error.code;
      };
      const page = async (path: string) => await (await fetch(`${server.url}${path}`)).text();
      for (const [state, trouble, code] of [
        [{ syncFails: 'EIO' }, 'failing', 'SQLITE_IOERR_FSYNC'],
        [{ syncFails: 'ENOSPC' }, 'full', 'SQLITE_FULL'],
        [{ writeFails: 'ENOSPC' }, 'full', 'SQLITE_FULL'],
        [{ writeFails: 'EIO' }, 'failing', 'SQLITE_IOERR_WRITE'],
      ] as const) {
        disk.set(state);
        expect(await send()).toBe('server/storage-full');
        expect((await member.ask('chats/list', {})).conversations.length).toBeLessThan(2);
        expect(await page('/metrics')).toContain(`tunemate_storage_trouble{trouble="${trouble}",code="${code}"} 1`);
        expect(await page('/status')).toContain(
          `Nothing can be saved: the disk ${trouble === 'full' ? 'is full' : 'fails'} (${code})`,
        );
        expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
        expect(server.log()).toContain(`"code":"${code}","msg":"storage.${trouble}"`);
        disk.set({});
        await expect.poll(send).toBe('stored');
        expect(await page('/status')).toContain('<dt>Saving</dt><dd>works</dd>');
      }
      disk.set({ syncMs: 400 });
      expect(await send()).toBe('stored');
      disk.set({});
      const status = await page('/status');
      expect(status).toContain('Messages wait for the disk');
      expect(status).not.toContain('One core is full');
      expect(server.log()).toContain('"msg":"storage.slow"');
      member.line.cut();
    } finally {
      disk.set({});
      await server.dispose();
    }
  },
);

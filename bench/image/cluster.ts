/** Checks the cluster's image as three containers over PostgreSQL and Redis, behind Caddy with TLS. */
import { createHttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { startPostgres } from '@tunemate/testkit/services/postgres';
import { startRedis } from '@tunemate/testkit/services/redis';
import { join } from 'node:path';
import { planCaddy } from './caddy.ts';
import type { Checking } from './one-container.ts';
import { joinAsAnn, makeRoom, startTunemate, type Started } from './tunemate.ts';

export async function checkCluster({
  engine,
  check,
  repository,
  folder,
}: Checking & { repository: string }): Promise<void> {
  await check('the image of the cluster builds', async () => {
    await engine.build('tunemate-cluster', repository, 'cluster');
    return (await engine.podman('run', '--rm', '--pull', 'never', 'tunemate-cluster', 'pg_dump', '--version')).trim();
  });
  const [postgres, redis] = [await startPostgres({ durable: true }), await startRedis({ own: true })];
  const { url: database } = await postgres.createDatabase();
  const front = await planCaddy(join(folder, 'caddy'));
  const env = { DATABASE_URL: database, REDIS_URL: redis.url, TRUST_PROXY: 'true', PUBLIC_URL: front.url };
  const servers: Started[] = [];
  const caddy = { stop: () => Promise.resolve() };
  await check('three containers serve behind deploy/Caddyfile with TLS', async () => {
    await engine.try('volume', 'rm', '--force', 'cluster');
    for (let n = 0; n < 3; n += 1) {
      servers.push(await startTunemate(engine, { image: 'tunemate-cluster', data: 'cluster', env }));
    }
    Object.assign(caddy, await front.start(servers.map(({ url }) => url)));
    const [first] = servers;
    if (first === undefined) throw new Error('none started');
    const ann = await joinAsAnn({ url: front.url, command: first.command });
    const code = await makeRoom(front.url, ann);
    const film = await createHttpVisitor(front.url, front.url).fetch('/login');
    const security = film.headers.get('strict-transport-security');
    const plain = await fetch(`${front.plainUrl}/login`, { redirect: 'manual' });
    if (plain.status !== 308) throw new Error(`without TLS it answers ${String(plain.status)}`);
    if (!ann.cookie().startsWith('__Host-')) throw new Error('the cookie is not for this host alone');
    const logs = await Promise.all(servers.map((each) => each.log()));
    const complaint = logs.join('').match(/forwarded-by-unknown|without-upgrade|clock\.machine-is-off/);
    if (complaint !== null) throw new Error(complaint[0]);
    return `room ${code === '' ? 'missing' : 'made'} over a socket; cookie of this host; ${security ?? 'no'} transport security; http answers 308`;
  });
  await check('a backup of PostgreSQL is made in the container', async () => {
    const said = await servers[0]?.command('backup', '/data/backup.tar.gz');
    return (said ?? 'no server').trim().split('\n').at(-1) ?? '';
  });
  await caddy.stop();
  for (const server of servers) await server.stop();
  await redis.stop();
  await postgres.stop();
}

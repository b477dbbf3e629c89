/**
 * `npm run cluster [-- PROCESSES [--standby]]`: PostgreSQL, with a standby where that is asked for, Redis, some server processes (3) and a balancer on this machine, until it
 * is asked to end; then everything is stopped and its data removed. PORT and PUBLIC_URL are those of the balancer; all
 * other settings go to the servers, but for those that the cluster makes itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster } from './cluster.ts';
import type { ServerProcess } from '../services/process.ts';

const own = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'TRUST_PROXY'];
const startAgainAfterMs = 250;

const withStandby = process.argv.includes('--standby');
const processes = Number(process.argv.slice(2).find((each) => each !== '--standby') ?? 3);
const port = Number(process.env['PORT'] ?? 3000);
const publicUrl = process.env['PUBLIC_URL'] ?? `http://localhost:${String(port)}`;
const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.includes(name)));
if (!(Number.isInteger(processes) && processes > 0)) {
  console.error('Say how many processes: a number of 1 or more.');
  process.exit(1);
}

let isEnding = false;
const end = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
});

console.log(`Starting PostgreSQL, Redis, ${String(processes)} processes and a balancer…`);
const cluster = await startCluster({
  processes,
  port,
  withStandby,
  server: { env: { ...given, PUBLIC_URL: publicUrl } },
});
for (const server of cluster.servers) void keepUp(server);
console.log(`Tunemate is ready: ${publicUrl}`);
for (const { url, pid } of cluster.servers) console.log(`  process ${String(pid)} at ${url}`);
if (cluster.standby) {
  console.log(`  PostgreSQL at ${cluster.postgres.url}; its standby takes over after`);
  console.log(`  psql ${cluster.standby.url} -c "select pg_promote()"`);
}
console.log(`  mails in ${cluster.dataDir}/outbox; all data goes when this ends (Ctrl-C)`);

await end;
isEnding = true;
await cluster.stop();
console.log('Everything is stopped.');
process.exit(0);

/** Starts the server again whenever it ends by itself. */
async function keepUp(server: ServerProcess): Promise<void> {
  for (;;) {
    const code = await server.ended();
    if (isEnding) return;
    console.log(`The process at ${server.url} ended (${String(code ?? 'killed')}). Starting it again.`);
    await pause(startAgainAfterMs);
    if (isEnding) return;
    await server.restart().catch((error: unknown) => console.error(String(error)));
  }
}

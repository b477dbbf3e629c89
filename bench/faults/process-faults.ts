/** Faults of the server's processes and of the balancer: killed, stopped, stalled, restarted one after the other. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import { isSoon } from './scenario.ts';
import { type Fault, type FaultScene, wrongUnless } from './fault.ts';

export const oneOf = ({ setUp, random }: FaultScene): ServerProcess => {
  const server = setUp.servers[Math.floor(random() * setUp.servers.length)];
  if (!server) throw new Error('there is no server');
  return server;
};

export async function killAndRestart(scene: FaultScene): Promise<void> {
  const server = oneOf(scene);
  await server.kill();
  await server.restart();
}

export const processFaults: readonly Fault[] = [
  {
    id: 'server-killed',
    what: 'kill -9 of a server in the middle of writes',
    async run(scene) {
      for (let times = scene.isLong ? 5 : 1; times > 0; times -= 1) {
        await pause(300 * scene.random());
        await killAndRestart(scene);
      }
    },
  },
  {
    id: 'restart-in-playback',
    what: 'a server restarts during playback, asked to and killed',
    async run(scene) {
      const { host } = scene.scenario;
      const before = timelineOf(host.room.view());
      const server = oneOf(scene);
      const exitCode = await server.stop();
      await server.restart();
      await killAndRestart(scene);
      const isOn = await isSoon(() => timelineOf(host.room.view()) !== null);
      return [
        ...wrongUnless(exitCode === 0, `the server ended with ${String(exitCode)}`),
        ...wrongUnless(before !== null && isOn, 'the host lost the room'),
      ];
    },
  },
  {
    id: 'server-stands-still',
    what: 'a server stands still (SIGSTOP) for 5 s',
    async run(scene) {
      const { pid } = oneOf(scene);
      process.kill(pid, 'SIGSTOP');
      await pause(scene.isLong ? 5000 : 700);
      process.kill(pid, 'SIGCONT');
    },
  },
  {
    id: 'killed-in-turn',
    what: 'one process after the other is killed',
    not: { one: 'has one process: server-killed' },
    async run({ setUp, isLong }) {
      for (const server of setUp.servers) {
        await server.kill();
        await pause(isLong ? 3000 : 200);
        await server.restart();
      }
    },
  },
  {
    id: 'rolling-restart',
    what: 'a rolling restart, one process after the other',
    async run({ setUp, isLong }) {
      const exitCodes: (number | null)[] = [];
      for (const server of setUp.servers) {
        exitCodes.push(await server.stop());
        await server.restart();
        await pause(isLong ? 2000 : 100);
      }
      return wrongUnless(
        exitCodes.every((code) => code === 0),
        `servers ended with ${exitCodes.join()}`,
      );
    },
  },
  {
    id: 'all-return',
    what: 'all lose the connection at once: server or balancer killed, and back',
    async run(scene) {
      const { balancer } = scene.setUp;
      if (balancer === null) await killAndRestart(scene);
      else {
        await balancer.kill();
        await pause(scene.isLong ? 3000 : 300);
        await balancer.restart();
      }
    },
  },
];

function timelineOf(view: string): object | null {
  if (!view.startsWith('{')) return null;
  return (JSON.parse(view) as { timeline: object }).timeline;
}

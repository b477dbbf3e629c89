/** Faults of time: clocks that jump, and absences so long that only a moved clock lets a test wait for them. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isSoon } from './scenario.ts';
import { type Fault, type FaultScene, wrongUnless } from './fault.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const databaseTime = 'serves the database’s time, which is not moved here';

/** Every server's machine has slept for so long. */
const sleepAll = (scene: FaultScene, sleptMs: number) => moveClocks(scene, { offMs: sleptMs, sleptMs });

/** Sets the machine's clock of every server, or of the first `count`. */
async function moveClocks(
  { setUp }: FaultScene,
  { offMs, sleptMs = 0 }: { offMs: number; sleptMs?: number },
  count = setUp.servers.length,
): Promise<void> {
  for (const { pid } of setUp.servers.slice(0, count)) {
    const file = join(setUp.clockDir, String(pid));
    await writeFile(file, `${String(offMs)} ${String(sleptMs)}`);
    process.kill(pid, 'SIGUSR2');
    if (!(await isSoon(() => !existsSync(file)))) throw new Error('the clock was not moved');
  }
}

export const timeFaults: readonly Fault[] = [
  {
    id: 'guest-away-minutes',
    what: 'a guest is offline for 10 min',
    movesClocks: true,
    not: { three: databaseTime },
    isSlow: true,
    mayShowOffline: true,
    async run(scene) {
      const { setUp, scenario } = scene;
      const [line] = setUp.lines.slice(1);
      const uid = scenario.guests[0]?.page.person.uid ?? '';
      line?.close();
      await sleepAll(scene, 10 * minuteMs);
      const isShown = await isSoon(() => scenario.host.room.view().includes(`${uid} false`));
      line?.reopen();
      return wrongUnless(isShown, 'no page saw that the guest is away');
    },
  },
  {
    id: 'host-away-minutes',
    what: 'the host is offline for 10 min, and then for 16 min',
    movesClocks: true,
    not: { three: databaseTime },
    isSlow: true,
    mayShowOffline: true,
    async run(scene) {
      const { setUp, scenario } = scene;
      const [line] = setUp.lines;
      const guests = scenario.guests.map(({ room }) => room);
      line?.close();
      await sleepAll(scene, 20 * minuteMs);
      await sleepAll(scene, 30 * minuteMs);
      const isAway = await isSoon(() => guests.every((room) => !room.view().includes('"hostAwaySince":null')));
      line?.reopen();
      const isBack = await isSoon(() => guests.every((room) => room.view().includes('"hostAwaySince":null')));
      return [
        ...wrongUnless(isAway, 'no page saw that the host is away'),
        ...wrongUnless(isBack, 'no page saw the host come back'),
      ];
    },
    async last(scene) {
      const { setUp, scenario } = scene;
      setUp.lines[0]?.close();
      const isAway = await isSoon(() =>
        scenario.guests.every(({ room }) => !room.view().includes('"hostAwaySince":null')),
      );
      await sleepAll(scene, 50 * minuteMs);
      const isOver = await isSoon(() => scenario.guests.every(({ room }) => room.view() === 'ended'));
      setUp.lines[0]?.reopen();
      return [
        ...wrongUnless(isAway, 'no page saw that the host is away again'),
        ...wrongUnless(isOver, 'the room went on without its host'),
      ];
    },
  },
  {
    id: 'clock-jumps',
    what: 'the machine’s clock jumps by 12 h, forwards and back',
    movesClocks: true,
    async run(scene) {
      const one = 1;
      await moveClocks(scene, { offMs: 12 * hourMs }, one);
      await pause(scene.isLong ? 5000 : 500);
      await moveClocks(scene, { offMs: -12 * hourMs }, one);
      await pause(scene.isLong ? 5000 : 500);
      await moveClocks(scene, { offMs: 0 }, one);
    },
  },
];

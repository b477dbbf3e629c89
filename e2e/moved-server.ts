/** The server with its settings from the environment, whose clock goes on by two minutes at each SIGUSR2. */
import { createApp } from '../server/src/app/app.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/system/logging.ts';
import { randomIds, systemClock } from '../server/src/system/machine.ts';

const machine = systemClock();
let aheadMs = 0;
process.on('SIGUSR2', () => (aheadMs += 2 * 60_000));
const clock = { ...machine, now: () => machine.now() + aheadMs };
const config = readConfig(process.env);
const app = await createApp(config, { clock, ids: randomIds(), log: createLog(config.logLevel) });
await app.listen();

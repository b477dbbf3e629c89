/** The server with its settings from the environment, but one that may push to this machine: its push service is a test's. */
import { createApp } from '../server/src/app/app.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/system/logging.ts';
import { randomIds, systemClock } from '../server/src/system/machine.ts';

const config = readConfig(process.env);
const parts = { clock: systemClock(), ids: randomIds(), log: createLog(config.logLevel), pushToLoopback: true };
const app = await createApp(config, parts);
await app.listen();

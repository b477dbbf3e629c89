/** The server with its settings from the environment, which serves the build of the folder that WEB_FOLDER names. */
import { createApp } from '../server/src/app/app.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/system/logging.ts';
import { randomIds, systemClock } from '../server/src/system/machine.ts';

const { WEB_FOLDER: webDir = '', ...env } = process.env;
const config = readConfig(env);
const parts = { clock: systemClock(), ids: randomIds(), log: createLog(config.logLevel), webDir };
const app = await createApp(config, parts);
await app.listen();

/**
 * `npm start`: from a fresh clone to a running server in one command.
 * Installs and builds what is missing or out of date, then runs the server, again and again if it crashes.
 */
import { readyNode } from './toolchain/install.mjs';
import { keepRunning } from './toolchain/keep-running.mjs';
import { serverFlags, withCompileCache } from './toolchain/pinned-node.mjs';
import { readArguments } from './toolchain/read-arguments.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

readArguments(`npm start

Installs and builds what is missing, and serves Tunemate on http://localhost:3000. It takes no arguments: settings are
environment variables, for example

  PORT=4000 MEDIA_DIR=/home/ada/Music npm start

docs/configuration.md lists them all. npm run admin -- help lists the operator's commands.`);

const node = readyNode();
buildWebIfNeeded(node);
buildServerIfNeeded(node);
keepRunning(node, [...serverFlags, 'server/dist/main.js'], withCompileCache());

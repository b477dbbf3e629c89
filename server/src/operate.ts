/** The operator's commands as a process of their own: `npm run admin`, `backup` and `restore`. */
import { constants, setPriority } from 'node:os';
import { runOperatorCommand } from './operator-program.ts';

const args = process.argv.slice(2);
// A backup reads and packs everything there is: the server beside it comes first.
if (args[0] === 'backup') setPriority(constants.priority.PRIORITY_LOW);

process.exitCode = await runOperatorCommand(args, {
  env: process.env,
  // npm runs scripts in the root of the repository.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  say: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});

/** The operator's commands as a process of their own: `npm run admin`, `backup` and `restore`. */
import { removeBegun } from './operator/backup.ts';
import { runOperatorCommand } from './operator/operator-program.ts';
import { lowerPriority } from './system/ffmpeg.ts';

const args = process.argv.slice(2);
// A backup reads and packs everything there is: the server beside it comes first, with three times its share of a
// processor. The lowest priority would give it a hundredth on a busy machine, and PostgreSQL can't clean up meanwhile.
const backupPriority = 5;
if (args[0] === 'backup') lowerPriority(0, backupPriority);

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => {
    removeBegun();
    process.exit(exitCode);
  });
}

process.exitCode = await runOperatorCommand(args, {
  env: process.env,
  // npm runs scripts in the root of the repository.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  say: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});

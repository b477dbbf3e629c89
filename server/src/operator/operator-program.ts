/**
 * The operator's commands: backup, restore, people, rooms and their log. Reads settings as the server does; what can't be
 * done is one line of complaint and exit code 1. Knows nothing of the process that it runs in.
 */
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { openOperatorTools } from '../app/operator.ts';
import { type Config, readConfig } from '../config.ts';
import { backUp } from './backup.ts';
import { check } from './check.ts';
import { convert } from './conversion.ts';
import {
  clockCommand,
  libraryCommands,
  operatorCommands,
  peopleCommands,
  reportCommands,
  roomCommands,
  signUpCommands,
  type WithTools,
} from './commands.ts';
import { OperatorFailure } from './operator-failure.ts';
import { restore } from './restore.ts';
import { asError, errorLines, escapeUnprintable } from '../system/printable.ts';
import { openDatabase } from '../storage/database.ts';
import { noteBackup } from '../storage/settings.ts';
import { startFailureLine } from '../system/start-failure.ts';

export interface OperatorPorts {
  /** The settings, by the names of environment variables. */
  env: NodeJS.ProcessEnv;
  /** The folder where the operator is: file names are relative to it. */
  folder: string;
  /** Prints a text that ends with a line break. */
  say: (text: string) => void;
  complain: (text: string) => void;
}

/** Carries out one command, and answers with the exit code. */
export async function runOperatorCommand(args: readonly string[], ports: OperatorPorts): Promise<number> {
  try {
    await operatorProgram(ports).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Its own words are printed already.
    if (error instanceof CommanderError) return error.exitCode;
    const line = error instanceof OperatorFailure ? error.message : startFailureLine(error, configOrNull(ports.env));
    const lines = line === null ? errorLines(asError(error)) : [line];
    ports.complain(
      `${lines
        .flatMap((each) => each.split('\n'))
        .map(escapeUnprintable)
        .join('\n')}\n`,
    );
    return 1;
  }
}

function operatorProgram({ env, folder, say, complain }: OperatorPorts): Command {
  const sayLines = (text: string) => say(`${text.split('\n').map(escapeUnprintable).join('\n')}\n`);
  const program = new Command('tunemate')
    .description('What an operator of Tunemate does beside the server.')
    .configureOutput({ writeOut: say, writeErr: complain })
    .exitOverride();
  archiveCommands(program, { env, folder, say: sayLines });
  const commands: WithTools = {
    async withTools(work) {
      const tools = await openOperatorTools(readConfig(env));
      try {
        await work(tools);
      } finally {
        await tools.close();
      }
    },
    say: sayLines,
  };
  peopleCommands(program, commands);
  operatorCommands(program, commands);
  roomCommands(program, commands);
  signUpCommands(program, commands);
  libraryCommands(program, commands);
  reportCommands(program, commands);
  clockCommand(program, commands);
  return program;
}

/** So that the status page can say when. A backup of an older version's database is one too, and notes nothing. */
async function noteDone(databaseUrl: string, madeAt: Date): Promise<void> {
  const database = openDatabase(databaseUrl);
  await noteBackup(database.db, madeAt).catch(() => undefined);
  await database.close();
}

function archiveCommands(program: Command, { env, folder, say }: Omit<OperatorPorts, 'complain'>): void {
  program
    .command('backup')
    .argument('[file]', 'where to write it; tunemate-<time>.tar.gz of this folder by default')
    .description('write database and pictures into one file; the server may run')
    .action(async (file: string | undefined) => {
      const now = new Date();
      const to = resolve(folder, file ?? `tunemate-${stampOf(now)}.tar.gz`);
      const config = readConfig(env);
      const { manifest, lacking, damaged } = await backUp(config, to, now);
      await noteDone(config.databaseUrl, now);
      say(`Wrote ${to}: ${String(manifest.rows['users'])} accounts, ${String(manifest.files.length)} files.`);
      const named = (ids: readonly string[]) => `${String(ids.length)} (${shortened(ids)})`;
      if (lacking.pictures.length > 0)
        say(`Pictures that lack a file in ${lacking.folder}: ${named(lacking.pictures)}.`);
      if (damaged.length > 0) say(`Files that are not whole: ${named(damaged)}.`);
    });

  program
    .command('check')
    .description('read every row, file and index, change nothing and say what is wrong')
    .action(async () => {
      const { tables, rows, files, wrong } = await check(readConfig(env));
      say(`Read ${String(tables)} tables with ${String(rows)} rows, and ${String(files)} files.`);
      if (wrong.length > 0) throw new OperatorFailure(wrong.join('\n'));
      say('Nothing is wrong.');
    });

  program
    .command('convert')
    .description('bring a database of version 0.1.0 to what version 0.2.0 had; the server must not run')
    .action(async () => {
      await convert(readConfig(env), new Date());
      say('Converted the database. The next start of the server does the rest.');
    });

  program
    .command('restore')
    .argument('<file>', 'a file that `backup` wrote')
    .option('--replace', 'put it in place of what is there, which is kept in a folder beside it', false)
    .description('check a backup and bring it back; the server must not run')
    .action(async (file: string, { replace }: { replace: boolean }) => {
      const { manifest, keptIn } = await restore(readConfig(env), resolve(folder, file), replace, new Date());
      say(`Restored the backup of ${manifest.madeAt}: ${String(manifest.rows['users'])} accounts.`);
      if (keptIn !== null) say(`What was there before is in ${keptIn}.`);
    });
}

const mostNamed = 10;
const shortened = (names: readonly string[]): string =>
  [...names.slice(0, mostNamed), ...(names.length > mostNamed ? ['…'] : [])].join(', ');

const stampOf = (now: Date) => now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

function configOrNull(env: NodeJS.ProcessEnv): Config | null {
  try {
    return readConfig(env);
  } catch {
    return null;
  }
}

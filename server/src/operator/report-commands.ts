/** The commands about reports. What people wrote is escaped, so that it commands no terminal. */
import type { Command } from 'commander';
import type { Report } from '../reports/reports-store.ts';
import type { WithTools } from './commands.ts';
import { OperatorFailure } from './operator-failure.ts';
import { timeOf } from './printed-table.ts';

const mostShown = 50;

export function reportCommands(program: Command, { withTools, say }: WithTools): void {
  const reports = program.command('reports').description('read what people reported');
  reports
    .command('list')
    .option('--all', 'those that were answered too, the newest first', false)
    .description('list the reports that wait for an answer, the oldest first')
    .action(({ all }: { all: boolean }) =>
      withTools(async (tools) => {
        const found = await tools.reports.list(all, mostShown);
        say(found.length === 0 ? 'No report waits.' : found.map(shown).join('\n\n'));
      }),
    );
  reports
    .command('answer')
    .argument('<id>', 'as `list` shows it')
    .description('tell the reporter that it was read')
    .action((id: string) =>
      withTools(async (tools) => {
        const isDone = await tools.reports.answer(id);
        if (isDone === null) throw new OperatorFailure(`There is no report ${id}.`);
        say(isDone ? 'The reporter is told that it was read.' : 'It was answered before.');
      }),
    );
}

const shown = ({ id, atMs, reporter, reported, place, text, reason, answeredAtMs }: Report): string =>
  [
    `${id}  ${timeOf(atMs)}${answeredAtMs === null ? '' : '  answered'}`,
    `  ${reporter} reports ${reported} (${place})`,
    ...(text === null ? [] : [`  said: ${JSON.stringify(text)}`]),
    `  reason: ${JSON.stringify(reason)}`,
  ].join('\n');

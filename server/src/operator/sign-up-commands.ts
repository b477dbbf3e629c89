/** The commands about who may sign up. */
import { type Command, InvalidArgumentError } from 'commander';
import { type SignUpMode, signUpModes } from '@tunemate/protocol';
import type { WithTools } from './commands.ts';
import { OperatorFailure } from './operator-failure.ts';
import { table, timeOf } from './printed-table.ts';

const words: Record<SignUpMode, string> = {
  open: 'Everybody can sign up.',
  invite: 'Only people with an invitation link can sign up.',
  closed: 'Nobody can sign up.',
};
const dayMs = 24 * 60 * 60 * 1000;
const mostUses = 1000;
const mostDays = 365;

const wholeNumber = (most: number) => (given: string) => {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${String(most)}.`);
};

export function signUpCommands(program: Command, { withTools, say }: WithTools): void {
  program
    .command('sign-up')
    .argument('[mode]', `${signUpModes.join(', ')}; without it, which of them holds`)
    .description('say who may sign up')
    .action((given?: string) =>
      withTools(async (tools) => {
        const mode = signUpModes.find((each) => each === given);
        if (given !== undefined && mode === undefined) {
          throw new OperatorFailure(`${given} is not one of ${signUpModes.join(', ')}.`);
        }
        if (mode !== undefined) await tools.signUp.setMode(mode);
        say(words[await tools.signUp.mode()]);
      }),
    );
  const links = program.command('invite-link').description('make, list and end links to sign up with');
  links
    .command('create')
    .option('--uses <number>', 'how many people may sign up with it', wholeNumber(mostUses), 1)
    .option('--days <number>', 'how long it works', wholeNumber(mostDays), 7)
    .description('print a new link')
    .action(({ uses, days }: { uses: number; days: number }) =>
      withTools(async (tools) => say(await tools.signUp.invite(uses, days * dayMs))),
    );
  links
    .command('list')
    .description('list the links that still work')
    .action(() =>
      withTools(async (tools) => {
        const rows = (await tools.signUp.invitations()).map(({ id, createdAtMs, expiresAtMs, usesLeft }) => [
          ...[id, timeOf(createdAtMs), timeOf(expiresAtMs)],
          String(usesLeft),
        ]);
        say(rows.length === 0 ? 'No invitation link works now.' : table(['id', 'made', 'until', 'uses left'], rows));
      }),
    );
  links
    .command('end')
    .argument('<id>', 'as `list` shows it')
    .description('end a link')
    .action((id: string) =>
      withTools(async (tools) => {
        if (!(await tools.signUp.endInvitation(id))) throw new OperatorFailure(`There is no invitation link ${id}.`);
        say(`The invitation link ${id} has ended.`);
      }),
    );
}

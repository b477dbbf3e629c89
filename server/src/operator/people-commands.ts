/** The commands about people. They name one by uid or address, and print what was done in one line. */
import type { Command } from 'commander';
import type { KnownAccount } from '../accounts/users-store.ts';
import type { WithTools } from './commands.ts';
import { OperatorFailure } from './operator-failure.ts';
import { table, timeOf } from './printed-table.ts';

export function peopleCommands(program: Command, { withTools, say }: WithTools): void {
  const people = program.command('people').description('find people, help them, keep them out');

  /** `work` on the one account with this uid or address. */
  const withPerson = (given: string, work: Parameters<typeof one>[2]) => withTools((tools) => one(tools, given, work));

  people
    .command('find')
    .argument('<text>', 'a uid, or a part of name or address')
    .description('list accounts, the newest first, 50 at most')
    .action((text: string) =>
      withTools(async (tools) => {
        const found = await tools.people.find(text);
        say(
          found.length === 0
            ? 'Nobody is found.'
            : table(['uid', 'name', 'address', 'since', 'state'], found.map(rowOf)),
        );
      }),
    );
  people
    .command('verify')
    .argument('<person>', 'uid or address')
    .description('take the address as verified: whoever signed up with it can sign in')
    .action((given: string) =>
      withPerson(given, async (tools, { email, ...account }) => {
        const done = await tools.people.verify({ email, ...account });
        say(done.ok ? `${email} is verified.` : `${email} was verified already.`);
      }),
    );
  people
    .command('reset-link')
    .argument('<person>', 'uid or address')
    .description('print a link that sets a new password: one use, 24 hours')
    .action((given: string) => withPerson(given, async (tools, account) => say(await tools.people.resetLink(account))));
  people
    .command('disable')
    .argument('<person>', 'uid or address')
    .description('sign the person out everywhere and let nobody sign in to the account')
    .action((given: string) =>
      withPerson(given, async (tools, account) => {
        await tools.people.disable(account);
        say(`${account.email} is disabled.`);
      }),
    );
  people
    .command('enable')
    .argument('<person>', 'uid or address')
    .description('let the person sign in again')
    .action((given: string) =>
      withPerson(given, async (tools, account) => {
        await tools.people.enable(account);
        say(`${account.email} is enabled.`);
      }),
    );
  people
    .command('delete')
    .argument('<person>', 'uid or address')
    .requiredOption('--yes', 'really: the account and what it has can not be brought back')
    .description('delete the account everywhere')
    .action((given: string) =>
      withPerson(given, async (tools, account) => {
        await tools.people.remove(account);
        say(`${account.email} is deleted.`);
      }),
    );
}

type Tools = Parameters<Parameters<WithTools['withTools']>[0]>[0];

async function one(
  tools: Tools,
  given: string,
  work: (tools: Tools, account: KnownAccount) => Promise<void>,
): Promise<void> {
  const found = await tools.people.find(given);
  const account = found.find(({ uid, email }) => uid === given || email === given.toLowerCase());
  if (!account) throw new OperatorFailure(`Nobody has the uid or address ${given}. Look with: people find TEXT`);
  await work(tools, account);
}

const rowOf = ({ uid, name, email, createdAtMs, isVerified, isDisabled }: KnownAccount): string[] => [
  uid,
  name,
  email,
  timeOf(createdAtMs),
  isDisabled ? 'disabled' : isVerified ? '' : 'not verified',
];

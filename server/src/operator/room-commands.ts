/** The commands about rooms, and the log of all orders. */
import type { Command } from 'commander';
import type { RoomCode } from '@tunemate/protocol';
import type { WithTools } from './commands.ts';
import { OperatorFailure } from './operator-failure.ts';
import { table, timeOf } from './printed-table.ts';

export function roomCommands(program: Command, { withTools, say }: WithTools): void {
  const rooms = program.command('rooms').description('see and end rooms');
  rooms
    .command('list')
    .description('list the live rooms, the newest first')
    .action(() =>
      withTools(async (tools) => {
        const rows = (await tools.liveRooms()).map(({ code, kind, name, hostName, people, createdAtMs }) => [
          ...[code, kind, name, hostName],
          ...[String(people), timeOf(createdAtMs)],
        ]);
        say(rows.length === 0 ? 'No room is live.' : table(['code', 'kind', 'name', 'host', 'people', 'since'], rows));
      }),
    );
  rooms
    .command('end')
    .argument('<code>', 'the code of a live room')
    .description('end the room for everyone in it')
    .action((given: string) =>
      withTools(async (tools) => {
        const code = given.toUpperCase() as RoomCode;
        if (!(await tools.endRoom(code))) throw new OperatorFailure(`No live room has the code ${code}.`);
        say(`The room ${code} has ended.`);
      }),
    );
  program
    .command('log')
    .option('-n <count>', 'how many', '50')
    .description('list what was ordered with these commands, the newest first; kept for a year')
    .action(({ n }: { n: string }) =>
      withTools(async (tools) => {
        const rows = (await tools.latestActions(Number(n) || 50)).map(({ atMs, operator, action, subject }) => [
          timeOf(atMs),
          operator,
          action,
          subject,
        ]);
        say(rows.length === 0 ? 'Nothing was ordered yet.' : table(['time', 'operator', 'order', 'about'], rows));
      }),
    );
}

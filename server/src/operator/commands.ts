/**
 * The operator's commands about people, reports, rooms and sign-up, with what they share: the tools, opened for one
 * command, and tables. What people wrote is escaped, so that it commands no terminal.
 */
import { type RoomCode, type SignUpMode, signUpModes } from '@tunemate/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import { addressKey, type KnownAccount } from '../accounts/users-store.ts';
import type { OperatorTools } from '../app/operator.ts';
import type { Report } from '../reports/reports.ts';
import type { Listed, Part } from '../storage/pages.ts';
import { escapeUnprintable } from '../system/printable.ts';
import { OperatorFailure } from './operator-failure.ts';

export interface WithTools {
  /** Opens the tools, runs `work` and closes them. */
  withTools(work: (tools: OperatorTools) => Promise<void>): Promise<void>;
  /** Prints lines. */
  say(text: string): void;
}

const wholeNumber = (most: number) => (given: string) => {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${String(most)}.`);
};

const pageRows = 50;
const pageOption = ['--page <number>', 'which page', wholeNumber(1_000_000), 1] as const;
interface Paged {
  page: number;
}

const partOf = (page: number, most = pageRows): Part => ({ from: (page - 1) * most, most });

/** The rows of a page, and which of how many they are where that is not all. */
function pageInWords(
  { rows, total }: Listed<unknown>,
  page: number,
  nothing: string,
  lines: () => string,
  most = pageRows,
): string {
  if (total === 0) return nothing;
  const pages = Math.ceil(total / most);
  if (rows.length === 0) return `There is no page ${String(page)}. The last is ${String(pages)}.`;
  if (rows.length === total) return lines();
  const { from } = partOf(page, most);
  const which = `Rows ${String(from + 1)} to ${String(from + rows.length)} of ${String(total)}.`;
  const next = page < pages ? ` The next page: --page ${String(page + 1)}` : '';
  return `${lines()}\n\n${which}${next}`;
}

/** They name a person by uid or address, and print what was done in one line. */
export function peopleCommands(program: Command, { withTools, say }: WithTools): void {
  const people = program.command('people').description('find people, help them, keep them out');

  people
    .command('find')
    .argument('<text>', 'a uid, or a part of name or address')
    .option(...pageOption)
    .description('list accounts, the newest first')
    .action((text: string, { page }: Paged) =>
      withTools(async (tools) => {
        const found = await tools.people.find(text, partOf(page));
        const lines = () => table(['uid', 'name', 'address', 'since', 'state'], found.rows.map(rowOf));
        say(pageInWords(found, page, 'Nobody is found.', lines));
      }),
    );

  /** About the account with the given uid or address; prints what `work` answers. */
  const onOne = (name: string, description: string, work: (one: KnownAccount, tools: People) => Promise<string>) =>
    people
      .command(name)
      .argument('<person>', 'uid or address')
      .description(description)
      .action((given: string) =>
        withTools(async (tools) => say(await work(await accountOf(tools.people, given), tools.people))),
      );
  onOne('verify', 'take the address as verified: the person who signed up with it can sign in', async (one, tools) => {
    const done = await tools.verify(one);
    return done.ok ? `${one.email} is verified.` : `${one.email} was verified already.`;
  });
  onOne('reset-link', 'print a link that sets a new password: one use, 24 hours', (one, tools) => tools.resetLink(one));
  onOne('disable', 'sign the person out everywhere and let nobody sign in to the account', async (one, tools) => {
    await tools.disable(one);
    return `${one.email} is disabled.`;
  });
  onOne('enable', 'let the person sign in again', async (one, tools) => {
    await tools.enable(one);
    return `${one.email} is enabled.`;
  });
  onOne('delete', 'delete the account everywhere', async (one, tools) => {
    await tools.remove(one);
    return `${one.email} is deleted.`;
  }).requiredOption('--yes', 'really: the account and what it has can not be brought back');
}

/** Who runs the server, and lets people in from their home page. */
export function operatorCommands(program: Command, { withTools, say }: WithTools): void {
  const operators = program.command('operators').description('say who runs this server');
  operators
    .command('list')
    .description('list the people who run this server, the first of them first')
    .action(() =>
      withTools(async ({ people }) => {
        const rows = (await people.operators()).map(({ uid, name, email, sinceMs }) => [
          uid,
          name,
          email,
          timeOf(sinceMs),
        ]);
        say(rows.length === 0 ? 'Nobody runs this server yet.' : table(['uid', 'name', 'address', 'since'], rows));
      }),
    );
  const onOne = (name: string, description: string, work: (one: KnownAccount, people: People) => Promise<string>) =>
    operators
      .command(name)
      .argument('<person>', 'uid or address')
      .description(description)
      .action((given: string) =>
        withTools(async ({ people }) => say(await work(await accountOf(people, given), people))),
      );
  onOne('add', 'let a person run this server', async (one, people) => {
    if (!one.isVerified) throw new OperatorFailure(`${one.email} is not verified. First: people verify ${one.email}`);
    await people.addOperator(one);
    return `${one.email} runs this server.`;
  });
  onOne('remove', 'let a person no longer run this server', async (one, people) =>
    (await people.removeOperator(one)) ? `${one.email} no longer runs this server.` : `${one.email} did not run it.`,
  );
}

type People = OperatorTools['people'];

async function accountOf(people: People, given: string): Promise<KnownAccount> {
  const { rows } = await people.find(given, partOf(1));
  const addresses = [given.toLowerCase(), addressKey(given)];
  const account = rows.find(({ uid, email }) => uid === given || addresses.includes(email));
  if (!account) throw new OperatorFailure(`Nobody has the uid or address ${given}. Look with: people find TEXT`);
  return account;
}

const rowOf = ({ uid, name, email, createdAtMs, isVerified, isDisabled }: KnownAccount): string[] => [
  uid,
  name,
  email,
  timeOf(createdAtMs),
  isDisabled ? 'disabled' : isVerified ? '' : 'not verified',
];

export function reportCommands(program: Command, { withTools, say }: WithTools): void {
  const reports = program.command('reports').description('read what people reported');
  reports
    .command('list')
    .option('--all', 'those that were answered too, the newest first', false)
    .option(...pageOption)
    .description('list the reports that wait for an answer, the oldest first, one of each reporter before any second')
    .action(({ all, page }: { all: boolean } & Paged) =>
      withTools(async (tools) => {
        const found = await tools.reports.list(all, partOf(page));
        say(pageInWords(found, page, 'No report waits.', () => found.rows.map(shown).join('\n\n')));
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
        say(isDone ? 'The reporter gets a notification that it was read.' : 'It was answered before.');
      }),
    );
}

const shown = ({ id, atMs, reporter, reported, place, text, uploadId, reason, answeredAtMs }: Report): string =>
  [
    `${id}  ${timeOf(atMs)}${answeredAtMs === null ? '' : '  answered'}`,
    `  ${reporter} reports ${reported} (${place})`,
    ...(text === null ? [] : [`  said: ${JSON.stringify(text)}`]),
    ...(uploadId === null ? [] : [`  file: images/${uploadId}.* of DATA_DIR or S3_URL, until the report is answered`]),
    `  reason: ${JSON.stringify(reason)}`,
  ].join('\n');

/** Rooms, and the log of all commands. */
export function roomCommands(program: Command, { withTools, say }: WithTools): void {
  const rooms = program.command('rooms').description('see and end rooms');
  rooms
    .command('list')
    .argument('[text]', 'words of a code, a name or a host')
    .option(...pageOption)
    .description('list the live rooms, the newest first, or those that contain the text')
    .action((text = '', { page }: Paged) =>
      withTools(async (tools) => {
        const found = await tools.liveRooms(text, partOf(page));
        const rows = found.rows.map(({ code, kind, name, hostName, people, createdAtMs }) => [
          ...[code, kind, name, hostName],
          ...[String(people), timeOf(createdAtMs)],
        ]);
        const none = text === '' ? 'No room is live.' : `No live room contains ${text}.`;
        const lines = () => table(['code', 'kind', 'name', 'host', 'people', 'since'], rows);
        say(pageInWords(found, page, none, lines));
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
    .option('-n <count>', 'how many on a page', wholeNumber(10_000), pageRows)
    .option(...pageOption)
    .description('list what was ordered with these commands, the newest first; kept for a year')
    .action(({ n, page }: { n: number } & Paged) =>
      withTools(async (tools) => {
        const found = await tools.latestActions(partOf(page, n));
        const rows = found.rows.map(({ atMs, operator, action, subject }) => [timeOf(atMs), operator, action, subject]);
        const lines = () => table(['time', 'operator', 'order', 'about'], rows);
        say(pageInWords(found, page, 'Nothing was ordered yet.', lines, n));
      }),
    );
}

/** Why files of MEDIA_DIR are not listed, by the reasons in the log. */
const reasons: Readonly<Record<string, string>> = {
  broken: 'broken: no sound or film can be read',
  empty: 'the folder itself: it is empty, as when its disk is not mounted',
  'no-entries': 'subtitles and lyrics in which nothing can be read',
  'no-film': 'subtitles of no film',
  'no-media': 'lists, texts and pictures beside the music',
  'no-picture': 'covers beside albums that are no pictures',
  'not-in-list': 'files that the library.json of the folder does not name',
  'not-utf-8': 'names that are not UTF-8: give them other names',
  outside: 'links that lead out of the folder',
  'reached-before': 'folders reached twice, by a link',
  'same-name': 'two names that differ in the writing of accents only',
  special: 'pipes, sockets and devices',
  system: 'hidden files and folders of systems',
  'too-deep': 'folders deeper than is looked',
  'too-large': 'subtitles and lyrics that are larger than a text',
  unreadable: 'not readable, or gone meanwhile',
  unsupported: 'formats that no browser plays',
};

export function libraryCommands(program: Command, { withTools, say }: WithTools): void {
  program
    .command('library')
    .description('count what the server lists of MEDIA_DIR, and what it left out and why')
    .action(() =>
      withTools(async (tools) => {
        const report = await tools.libraryReport();
        if (report === null) return say('The server has not read its library yet.');
        const rows = Object.entries(report.skipped).map(([reason, count]) => [
          String(count),
          reasons[reason] ?? reason,
        ]);
        say(`Listed at ${timeOf(report.readAtMs)}: ${String(report.listed)}.`);
        say(rows.length === 0 ? 'Nothing was left out.' : table(['left out', 'why'], rows));
        if (rows.length > 0) say('Each is named in the log: catalogue.file-skipped.');
      }),
    );
}

const words: Record<SignUpMode, string> = {
  open: 'Everybody can sign up.',
  invite: 'Only people with an invitation link can sign up.',
  closed: 'Nobody can sign up.',
};
const dayMs = 24 * 60 * 60 * 1000;
const mostUses = 1000;
const mostDays = 365;

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

export function clockCommand(program: Command, { withTools, say }: WithTools): void {
  program
    .command('clock')
    .option('--yes', 'really change it', false)
    .description('let the server start after the clock of this machine was ahead and was set right')
    .action(({ yes }: { yes: boolean }) =>
      withTools(async (tools) => {
        const { nowMs, usedMs, waiting } = await tools.clock.look();
        say(`This machine's clock says ${timeOf(nowMs)} UTC. The database was used until ${timeOf(usedMs)}.`);
        if (waiting.size === 0) return say('Nothing waits for a time ahead.');
        const rows = [...waiting].map(([name, count]) => [name, String(count)]);
        say(table(['table', 'rows that wait for a time ahead'], rows));
        if (!yes) {
          return say(
            'If the clock is right now: with --yes these wait for now. When messages were sent and accounts were made stays as it is. Otherwise set the clock.',
          );
        }
        await tools.clock.bringBack();
        say('They wait for now. Start the server.');
      }),
    );
}

/** Rows in aligned columns. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows].map((row) => row.map(escapeUnprintable));
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => Number(line[column]?.length))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(Number(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `2026-03-01 17:05`, in UTC. */
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/**
 * A server is upgraded while people listen and talk: the processes of an older commit are asked to end, and this
 * commit's start in their place on the same data. Nothing may be lost, doubled or reordered, and all come back by
 * themselves. Writes results/upgrade.md; ends with 1 when something was wrong.
 * Usage: npm run bench -- upgrade [COMMIT ...] (default: the commit before, and the one before the newest migration)
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { roomKinds } from '@tunemate/protocol';
import { beforeNewestMigration, commitOf } from '@tunemate/testkit/commits';
import type { Fault } from './faults/fault.ts';
import { runFaults } from './faults/run-faults.ts';
import { type OlderVersion, openSetUp, setUps, type SetUpName } from './faults/set-ups.ts';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { writePage } from './report/write-page.ts';

const repository = join(import.meta.dirname, '..');
const ourProgram = [join(repository, 'server/src/main.ts')];

/** The sources of a commit in a folder of their own, with the packages of this one: only our own are the older ones. */
async function older(commit: string, folder: string): Promise<OlderVersion> {
  mkdirSync(folder);
  execFileSync('sh', ['-c', `git archive ${commit} | tar --extract --directory "$0"`, folder], { cwd: repository });
  for (const workspace of ['.', 'server', 'testkit']) {
    const packages = join(repository, workspace, 'node_modules');
    if (!existsSync(packages)) continue;
    mkdirSync(join(folder, workspace, 'node_modules'));
    for (const name of readdirSync(packages).filter((each) => each !== '@tunemate')) {
      symlinkSync(join(packages, name), join(folder, workspace, 'node_modules', name));
    }
  }
  mkdirSync(join(folder, 'node_modules/@tunemate'));
  for (const name of readdirSync(join(repository, 'node_modules/@tunemate'))) {
    symlinkSync(join(folder, name), join(folder, 'node_modules/@tunemate', name));
  }
  const worlds = join(folder, 'testkit/src/worlds');
  const { makePeople } = (await import(join(worlds, 'crowd.ts'))) as OlderVersion;
  const { makeTunemates } = (await import(join(worlds, 'durability.ts'))) as OlderVersion;
  return { program: [join(folder, 'server/src/main.ts')], makePeople, makeTunemates };
}

interface Row {
  commit: string;
  setUp: SetUpName;
  exitCodes: (number | null)[];
  awayMs: number;
  acknowledged: number;
  failed: number;
  problems: string[];
}

async function upgrade(commit: string, from: OlderVersion, name: SetUpName, seed: number): Promise<Row> {
  const row: Row = { commit, setUp: name, exitCodes: [], awayMs: 0, acknowledged: 0, failed: 0, problems: [] };
  /** As docs/operating.md has it: all end, then all start. */
  const fault: Fault = {
    id: 'upgrade',
    what: 'an older version ends, and this one starts on its data',
    async run({ setUp }) {
      const startMs = performance.now();
      row.exitCodes = await Promise.all(setUp.servers.map((server) => server.stop()));
      for (const server of setUp.servers) await server.restart(ourProgram);
      row.awayMs = performance.now() - startMs;
      return [];
    },
  };
  const setUp = await openSetUp(name, { seed, older: from });
  try {
    const kind = roomKinds[seed % roomKinds.length] ?? 'video';
    const judged = await runFaults(setUp, [fault], { kind });
    return { ...row, acknowledged: judged.acknowledged, failed: judged.failed, problems: judged.problems };
  } finally {
    await setUp.stop();
  }
}

const given = process.argv.slice(2);
const commits = (given.length > 0 ? given : ['HEAD^', beforeNewestMigration()]).map(commitOf);
await using folder = await makeTempDir('upgrade');
const rows: Row[] = [];
for (const [seed, commit] of commits.entries()) {
  const from = await older(commit, join(folder.path, commit));
  for (const setUp of setUps) {
    const row = await upgrade(commit, from, setUp, seed);
    console.log(`${commit}, ${setUp}: ${String(row.acknowledged)} operations, ${String(row.failed)} failed`);
    for (const problem of row.problems) console.log(`     ${problem.slice(0, 600)}`);
    rows.push(row);
  }
}

const titles: Record<SetUpName, string> = {
  one: 'one process, SQLite',
  three: 'three processes, PostgreSQL and Redis',
};
const table = rows.map((row) => {
  const cells = [row.commit, titles[row.setUp], row.exitCodes.join(), String(Math.round(row.awayMs))];
  return `| ${[...cells, row.acknowledged, row.failed, row.problems.length].join(' | ')} |`;
});
writePage(
  'upgrade',
  `# An upgrade with people connected

\`npm run bench -- upgrade\`, to ${commitOf('HEAD')}

A host plays and three guests talk. The processes of the older commit are asked to end, and those of this one start on the
same data; the database is brought up to date meanwhile. An operation is a message or an intent of the host; it failed if its
person read 'Not sent'. Wrong is what was lost, doubled, reordered, out of step, seen by others or logged as an error.

| from | processes | exit codes | ended to ready, ms | operations | failed | wrong |
| --- | --- | --- | --- | --- | --- | --- |
${table.join('\n')}
`,
);
process.exit(rows.every(({ problems, failed }) => problems.length === 0 && failed === 0) ? 0 : 1);

/**
 * `npm run mutation -- access`: counts the access checks of the tests, then takes out each access check of the server in
 * turn and shows which test falls. Writes bench/results/access.md; ends with 1 when one can be taken out unnoticed.
 * `npm run mutation -- access TEXT` takes out only the checks whose description has the text, and writes no table.
 * `npm run mutation -- access --continue` does not take out again what an earlier run of the same code has.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { allMutants, matrices } from './access-mutation/mutants.mjs';
import { accessTables } from './access-mutation/report.mjs';
import { readyNode } from './toolchain/install.mjs';
import { inRoot, root } from './toolchain/paths.mjs';
import { toolEnvironment } from './toolchain/pinned-node.mjs';
import { toolScript } from './toolchain/tools.mjs';

const node = readyNode();
/** Of the table among the results. */
const name = 'access';
const given = process.argv.slice(3);
const wanted = given.find((each) => each !== '--continue') ?? '';
mkdirSync(inRoot('test-results'), { recursive: true });

const counted = wanted === '' ? testRun('vitest.config.ts', matrices, ['--project=node']) : null;
if (counted !== null && counted.failed.length > 0) fail(`These fail as they are:\n${counted.failed.join('\n')}`);

/** What came of each check so far, a line each: a long run may be broken off. */
const diary = inRoot('test-results', 'access-outcomes.jsonl');
if (!given.includes('--continue')) rmSync(diary, { force: true });
const before = existsSync(diary) ? readFileSync(diary, 'utf8').split('\n').filter(Boolean).map(JSON.parse) : [];
const outcomes = allMutants()
  .filter(({ what }) => what.includes(wanted))
  .map((mutant) => before.find(({ what }) => what === mutant.what) ?? takeOut(mutant));
if (counted !== null) writeFileSync(inRoot('bench', 'results', `${name}.md`), accessTables(counted.checks, outcomes));
const survivors = outcomes.filter(({ fell }) => fell === null);
console.log(`${String(outcomes.length)} checks taken out, ${String(survivors.length)} unnoticed`);
process.exitCode = survivors.length === 0 ? 0 : 1;

function takeOut({ what, tests, only, ...mutant }) {
  const chosen = only === undefined ? [] : [`--testNamePattern=${only}`];
  const config = 'scripts/access-mutation/vitest.config.ts';
  const takenOut = inRoot('test-results', 'access-taken-out');
  rmSync(takenOut, { force: true });
  const { failed } = testRun(config, tests, ['--bail=1', ...chosen], { ACCESS_MUTANT: JSON.stringify(mutant) });
  if (!existsSync(takenOut)) fail(`never taken out: ${what}`);
  const outcome = { what, fell: failed[0] ?? null };
  console.log(`${outcome.fell === null ? 'SURVIVED' : 'noticed '}  ${what}  ${outcome.fell ?? ''}`);
  appendFileSync(diary, `${JSON.stringify(outcome)}\n`);
  return outcome;
}

/** Runs test files: what failed, and the checks that each file counted. */
function testRun(config, tests, options, env = {}) {
  const report = inRoot('test-results', 'access.json');
  rmSync(report, { force: true });
  const vitest = [toolScript('vitest'), 'run', '--config', config, '--reporter=json', `--outputFile=${report}`];
  spawnSync(node, [...vitest, ...options, ...tests], {
    cwd: root,
    env: { ...toolEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (
    !all.some(({ status }) => status === 'passed' || status === 'failed') &&
    !testResults.some(({ message }) => message)
  ) {
    fail(`no test ran: ${tests.join(' ')} ${options.join(' ')}`);
  }
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
  );
  const failed = [
    ...all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ...unloaded.map(({ name }) => name),
  ];
  const checks = testResults.map(({ name, assertionResults }) => ({
    file: relative(root, name),
    checks: assertionResults.reduce((sum, { meta }) => sum + (meta?.checks ?? 0), 0),
  }));
  return { failed, checks };
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

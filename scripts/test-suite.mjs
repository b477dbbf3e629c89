/** The parts of `npm test`, in order, under the pinned Node. Each runs even when one before it failed. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { budgetReport } from './checks/budgets.mjs';
import { inRoot } from './toolchain/paths.mjs';
import { runSteps, runTool } from './toolchain/steps.mjs';
import { toolScript } from './toolchain/tools.mjs';

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
/** `heard` is run by name only: it needs processors that nothing else uses. */
const parts = ['check', 'unit', 'screens', 'e2e', 'heard'];
if (only !== undefined && !parts.includes(only)) {
  console.error(`--only takes ${parts.join(', ')}; not ${only}.`);
  process.exit(1);
}
const wants = (part) => (only === undefined ? part !== 'heard' : only === part);

const reports = inRoot('test-results');
const testsReport = inRoot('test-results', 'tests.json');
const journeysReport = inRoot('test-results', 'journeys.json');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports);

const check = { name: 'check', run: () => runTool(inRoot('scripts', 'check.mjs'), [], { loud: true }) };

/** The projects of vitest.config.ts, side by side: what waits in one leaves the processors to the other. */
const projects = [...(wants('unit') ? ['node'] : []), ...(wants('screens') ? ['web'] : [])];

const tests = {
  name:
    { node: 'unit and integration tests', web: 'screens' }[projects.join()] ?? 'unit, integration tests and screens',
  run: () =>
    runTool(
      toolScript('vitest'),
      [
        'run',
        ...projects.map((project) => `--project=${project}`),
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${testsReport}`,
      ],
      { loud: true },
    ),
};

const webBuild = {
  name: 'web build',
  run: () => runTool(toolScript('vite'), ['build', '--logLevel', 'warn'], { cwd: inRoot('web'), loud: true }),
};

const budgets = {
  name: 'web budgets',
  run: () => {
    const { report, problems } = budgetReport();
    return { ok: problems.length === 0, output: report.join('\n') };
  },
};

const playwright = (projects) =>
  runTool(
    toolScript('@playwright/test', 'playwright'),
    ['test', '--config', 'e2e', ...projects.map((project) => `--project=${project}`)],
    { loud: true },
  );
const journeys = { name: 'browser journeys', run: () => playwright(['long', 'stories']) };
const heard = { name: 'what is heard', run: () => playwright(['heard']) };

const ok = await runSteps([
  ...(wants('check') ? [check] : []),
  ...(projects.length > 0 ? [tests] : []),
  ...(wants('e2e') ? [webBuild, budgets, journeys] : []),
  ...(wants('heard') ? [webBuild, heard] : []),
]);
const hasJourneys = wants('e2e') || wants('heard');

const counts = [...(projects.length > 0 ? [countOf(testsReport)] : []), ...(hasJourneys ? [countJourneys()] : [])];
const notRun = hasJourneys ? (readReport(journeysReport)?.stats.skipped ?? 0) : 0;
if (notRun > 0) console.log(`${notRun} browser journeys were not run; the reasons are above ('not run: …').`);
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
if (counts.length > 0) console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = ok ? 0 : 1;

/** A part without a report did not get as far as its tests: that is a failure too. */
function countOf(path) {
  const report = readReport(path);
  if (report === undefined) return { passed: 0, failed: 1 };
  // A file that can't be loaded fails without a failed test of its own.
  const unloaded = report.testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some((result) => result.status === 'failed');
  });
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

function countJourneys() {
  const report = readReport(journeysReport);
  if (report === undefined) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = report.stats;
  return { passed: expected + flaky, failed: unexpected + report.errors.length };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The parts of `npm test`, in order, under the pinned Node. Each runs even when one before it failed. */
import { mkdirSync, rmSync } from 'node:fs';
import { readTestArguments } from './toolchain/test-arguments.mjs';

const { all, only, paths } = readTestArguments();
// Before anything that reads it (testkit/src/extent.ts), in this process and in those that it starts.
if (all) process.env.TESTS = 'all';

const { budgetReport } = await import('./checks/budgets.mjs');
const { runJourneys, countJourneys } = await import('./toolchain/journeys-run.mjs');
const { inRoot } = await import('./toolchain/paths.mjs');
const { runSteps, runTool } = await import('./toolchain/steps.mjs');
const { leftOut, readPlaywrightReport, readVitestReport, timesOf } = await import('./toolchain/test-reports.mjs');
const { toolScript } = await import('./toolchain/tools.mjs');
const { runVitest } = await import('./toolchain/vitest-run.mjs');
const { buildEnvironment, builtLanguages } = await import('./toolchain/web-build.mjs');

const journeyFiles = paths.filter((path) => path.startsWith('e2e'));
const testFiles = paths.filter((path) => !path.startsWith('e2e'));
const wants = (part) => {
  if (only !== undefined) return only === part;
  if (paths.length === 0) return part !== 'heard';
  return part === 'e2e' ? journeyFiles.length > 0 : (part === 'unit' || part === 'screens') && testFiles.length > 0;
};

const reports = inRoot('test-results');
const testsReport = inRoot('test-results', 'tests.jsonl');
const journeysReports = ['journeys', 'journeys-again'].map((name) => inRoot('test-results', `${name}.json`));
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports);

const check = {
  name: 'check',
  run: () => runTool(inRoot('scripts', 'check.mjs'), all ? [] : ['--short'], { loud: true }),
};

/** The projects of vitest.config.ts, side by side: what waits in one leaves the processors to the other. */
const projects = [...(wants('unit') ? ['node'] : []), ...(wants('screens') ? ['web'] : [])];

const tests = {
  name:
    { node: 'unit and integration tests', web: 'screens' }[projects.join()] ?? 'unit, integration tests and screens',
  run: () =>
    runVitest(
      [
        ...projects.map((project) => `--project=${project}`),
        ...testFiles,
        ...(paths.length > 0 ? ['--passWithNoTests'] : []),
      ],
      testsReport,
    ),
};

const webBuild = {
  name: 'web build',
  run: async () => {
    let result = { ok: true };
    for (const language of all ? builtLanguages() : ['en']) {
      const env = buildEnvironment(language);
      result = await runTool(toolScript('vite'), ['build', '--logLevel', 'warn'], {
        cwd: inRoot('web'),
        env,
        loud: true,
      });
      if (!result.ok) break;
    }
    return result;
  },
};

/** What comes after it starts the server as it is installed (testkit/src/services/process.ts). */
const serverBuild = {
  name: 'server build',
  run: async () => {
    const result = await runTool(inRoot('scripts', 'toolchain', 'write-server.mjs'), [], { loud: true });
    if (result.ok) process.env.SERVER_PROGRAM = 'server/dist/main.js';
    return result;
  },
};

const budgets = {
  name: 'web budgets',
  run: () => {
    const { report, problems } = budgetReport();
    return { ok: problems.length === 0, output: report.join('\n') };
  },
};

/** A place that is named runs whole, and so does everything; otherwise the journeys that are marked for it. */
const chosen = all || journeyFiles.length > 0 ? journeyFiles : ['--grep=@short'];
const journeys = {
  name: 'browser journeys',
  run: () => runJourneys(['--project=long', '--project=stories', ...chosen], journeysReports),
};
const heard = { name: 'what is heard', run: () => runJourneys(['--project=heard'], journeysReports) };

const ok = await runSteps([
  ...(wants('check') ? [check] : []),
  // Before the tests: what of them runs the built product then finds it built.
  ...(wants('e2e') ? [webBuild] : []),
  ...(wants('e2e') || (all && wants('unit')) ? [serverBuild] : []),
  ...(wants('e2e') && all ? [budgets] : []),
  ...(projects.length > 0 ? [tests] : []),
  ...(wants('e2e') ? [journeys] : []),
  ...(wants('heard') ? [webBuild, serverBuild, heard] : []),
]);

const results = [
  ...(projects.length > 0 ? [readVitestReport(testsReport)] : []),
  ...(wants('e2e') || wants('heard') ? [readPlaywrightReport(journeysReports)] : []),
];
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
if (projects.length > 0) console.log(timesOf(testsReport).join('\n'));
// Once more at the end: a log that is cut short keeps its last lines.
for (const { title, message } of results.flatMap(({ failures }) => failures)) {
  console.log(`FAIL  ${title}\n${message.replaceAll(/^/gm, '      ')}`);
}
if (results.length > 0) console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
if (all && sum('notRun') > 0)
  console.log(`${sum('notRun')} tests were not run; the reasons are above ('SKIPPED: …', 'not run: …').`);
if (!all && paths.length === 0) {
  const journeysLeft = wants('e2e') ? countJourneys() - results.at(-1).passed - results.at(-1).failed : 0;
  console.log(leftOut(testsReport, journeysLeft));
}
process.exitCode = ok ? 0 : 1;

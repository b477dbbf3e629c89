/** The parts of `npm test`, in order, under the pinned Node. Each runs even when one before it failed. */
import { mkdirSync, rmSync } from 'node:fs';
import { budgetReport } from './checks/budgets.mjs';
import { inRoot } from './toolchain/paths.mjs';
import { runSteps, runTool } from './toolchain/steps.mjs';
import { readPlaywrightReport, readVitestReport } from './toolchain/test-reports.mjs';
import { toolScript } from './toolchain/tools.mjs';
import { runVitest } from './toolchain/vitest-run.mjs';
import { builtLanguages } from './toolchain/web-build.mjs';

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
/** `heard` is run by name only: it needs processors that nothing else uses. */
const parts = ['check', 'unit', 'screens', 'e2e', 'heard'];
if (only !== undefined && !parts.includes(only)) {
  console.error(`--only takes ${parts.join(', ')}; not ${only}.`);
  process.exit(1);
}
const wants = (part) => (only === undefined ? part !== 'heard' : only === part);

const reports = inRoot('test-results');
const testsReport = inRoot('test-results', 'tests.jsonl');
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
    runVitest(
      projects.map((project) => `--project=${project}`),
      testsReport,
    ),
};

const webBuild = {
  name: 'web build',
  run: async () => {
    let result = { ok: true };
    for (const language of builtLanguages()) {
      const env = { TUNEMATE_LANGUAGE: language };
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
  // Before the tests: what of them runs the built product then finds it built.
  ...(wants('e2e') ? [webBuild, budgets] : []),
  ...(projects.length > 0 ? [tests] : []),
  ...(wants('e2e') ? [journeys] : []),
  ...(wants('heard') ? [webBuild, heard] : []),
]);

const results = [
  ...(projects.length > 0 ? [readVitestReport(testsReport)] : []),
  ...(wants('e2e') || wants('heard') ? [readPlaywrightReport(journeysReport)] : []),
];
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
if (sum('notRun') > 0)
  console.log(`${sum('notRun')} tests were not run; the reasons are above ('SKIPPED: …', 'not run: …').`);
// Once more at the end: a log that is cut short keeps its last lines.
for (const { title, message } of results.flatMap(({ failures }) => failures)) {
  console.log(`FAIL  ${title}\n${message.replaceAll(/^/gm, '      ')}`);
}
if (results.length > 0) console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = ok ? 0 : 1;

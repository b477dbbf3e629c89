/**
 * Runs the browser journeys for `npm test`. At home their limits are short, so that a journey that hangs says so soon;
 * those that failed by waiting run once more with the long limits, which decide.
 */
import { root } from './paths.mjs';
import { spawnSync } from 'node:child_process';
import { toolEnvironment } from './pinned-node.mjs';
import { runTool } from './steps.mjs';
import { readPlaywrightReport } from './test-reports.mjs';
import { toolScript } from './tools.mjs';
import { coversEverything, limits } from '@tunemate/testkit/extent';

const command = () => toolScript('@playwright/test', 'playwright');
const config = ['test', '--config', 'e2e'];

/** Runs Playwright with `args`; the results are in the first of `reports`, those of the second run in the other. */
export async function runJourneys(args, [report, again]) {
  const first = await runTool(command(), [...config, ...args], { loud: true, env: { JOURNEYS_REPORT: report } });
  if (first.ok || coversEverything || process.env.TEST_LIMITS === 'long') return first;
  const { failures } = readPlaywrightReport([report]);
  if (failures.length === 0 || failures.some(({ ms = 0 }) => ms < limits.journey.poll)) return first;
  console.log(`\n${failures.length} journeys failed by waiting, and run once more with longer limits.`);
  return runTool(command(), [...config, ...args, '--last-failed'], {
    loud: true,
    env: { JOURNEYS_REPORT: again, TEST_LIMITS: 'long' },
  });
}

/** How many journeys there are in all. */
export function countJourneys() {
  const args = [command(), ...config, '--project=long', '--project=stories', '--list', '--reporter=list'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, env: toolEnvironment(), encoding: 'utf8' });
  return Number(/Total: (\d+) tests?/.exec(stdout)?.[1] ?? 0);
}

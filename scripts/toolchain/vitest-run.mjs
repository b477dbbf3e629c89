/**
 * Runs vitest for `npm test`. A test file that blocks its process, or a browser that no longer answers, reaches none of
 * vitest's own time-outs, and the run would never end. Such a run is ended here, its processes and the files that did
 * not end are named, and these files run once more: what blocks again fails.
 */
import { spawn, spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { coversEverything } from '@tunemate/testkit/extent';
import { root } from './paths.mjs';
import { toolEnvironment } from './pinned-node.mjs';
import { readVitestReport, unfinishedFiles, waitedFiles } from './test-reports.mjs';
import { toolScript } from './tools.mjs';

/** Five times as long as a single test may take, and longer than the installation of a test's programs. */
const quietMs = 600_000;
const lookEveryMs = 1000;

/**
 * Runs vitest with `args`; the results are in `report`, for `readVitestReport`. At home the limits of time are short,
 * so that a test that hangs says so soon; files in which one failed by waiting run once more with the long limits,
 * alone. `output` is where vitest writes: 'ignore' for a run within another, whose failures would read like those of
 * the outer.
 * @returns {Promise<{ ok: boolean }>}
 */
export async function runVitest(
  args,
  report,
  { isStuck = () => isQuiet(report), cwd = root, isPatient = isPatientRun, output = 'inherit' } = {},
) {
  writeFileSync(report, '');
  const how = { isStuck, cwd, output };
  const first = await run(args, report, how);
  if (first.isStopped) return runUnfinished(args, report, how, first);
  const waited = isPatient ? [] : waitedFiles(report);
  if (first.code === 0 || waited.length === 0) return { ok: first.code === 0 };
  console.log(
    `\nIn these files a test failed by waiting; they run once more, with longer limits:\n${waited.join('\n')}`,
  );
  const second = await run([...args, ...waited], report, how, { TEST_LIMITS: 'long' });
  return { ok: !second.isStopped && readVitestReport(report).failed === 0 };
}

const isPatientRun = coversEverything || process.env.TEST_LIMITS === 'long';

async function runUnfinished(args, report, how, first) {
  const files = unfinishedFiles(report);
  console.log(`\nNo test ended for a long time. The processes of the run, which were ended:\n${first.processes}`);
  console.log(`These files did not end, and run once more:\n${files.join('\n')}`);
  const second = await run([...args, ...files], report, how);
  if (second.isStopped) console.log(`\nNo test ended for a long time again:\n${second.processes}`);
  // What failed before the run was ended counts as well.
  return { ok: second.code === 0 && readVitestReport(report).failed === 0 };
}

const isQuiet = (report) => Date.now() - statSync(report).mtimeMs > quietMs;

function run(args, report, { isStuck, cwd, output }, env = {}) {
  const reporter = new URL('results-reporter.mjs', import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [toolScript('vitest'), 'run', ...args, '--reporter=dot', `--reporter=${reporter}`],
    {
      cwd,
      env: { ...toolEnvironment(), TEST_RESULTS: report, ...env },
      stdio: ['ignore', output, output],
    },
  );
  return new Promise((resolve, reject) => {
    let processes;
    const watch = setInterval(() => {
      if (!isStuck()) return;
      clearInterval(watch);
      const tree = processTree(child.pid);
      processes = tree.map(({ line }) => line).join('\n');
      // Held first: a run that sees a process of its own end reports that file as failed, and it does not run again.
      for (const { pid } of tree) signal(pid, 'SIGSTOP');
      // The children first: without their parent they would be left over, and those that block would never end.
      for (const { pid } of tree.toReversed()) signal(pid, 'SIGKILL');
    }, lookEveryMs);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearInterval(watch);
      resolve({ code, isStopped: processes !== undefined, processes });
    });
  });
}

/** The process and all that it started, parents first, each with what `ps` says of it. */
function processTree(pid) {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,ppid,etimes,times,stat,wchan:24,args'], { encoding: 'utf8' });
  const all = stdout.split('\n').map((line) => {
    const [own, parent] = line.trim().split(/\s+/).map(Number);
    return { pid: own, parent, line: line.slice(0, 200) };
  });
  const tree = all.filter((one) => one.pid === pid);
  for (const one of tree) tree.push(...all.filter(({ parent }) => parent === one.pid));
  return tree;
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

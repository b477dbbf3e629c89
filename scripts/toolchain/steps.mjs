/** Runs named steps, prints the result and time of each, and goes on after a failure. */
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { toolEnvironment } from './pinned-node.mjs';

/**
 * @typedef {{ ok: boolean, output?: string }} StepResult
 * @typedef {{ name: string, run: () => StepResult | Promise<StepResult> }} Step
 */

/**
 * Runs every step and answers whether all went well. They begin in their order, `atOnce` of them side by side.
 * @param {readonly Step[]} steps
 */
export async function runSteps(steps, { atOnce = 1 } = {}) {
  const failed = [];
  const waiting = [...steps];
  const runOneByOne = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (!(await runStep(step))) failed.push(step.name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runOneByOne));
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
  return failed.length === 0;
}

async function runStep({ name, run }) {
  const startedMs = performance.now();
  const { ok, output = '' } = await resultOf(run);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}  ${seconds} s`);
  if (output.trim() !== '') console.log(output.trimEnd().replaceAll(/^/gm, '      '));
  return ok;
}

async function resultOf(run) {
  try {
    return await run();
  } catch (error) {
    return { ok: false, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** A step from a check that answers a list of problems. @returns {Step} */
export function checkStep(name, findProblems) {
  return {
    name,
    async run() {
      const problems = await findProblems();
      return { ok: problems.length === 0, output: problems.join('\n') };
    },
  };
}

/** A step that runs a script of our tools; its output is shown when it fails. @returns {Step} */
export function toolStep(name, script, args) {
  return { name, run: () => runTool(script, args) };
}

/** Runs a script under this Node and answers what it said. `loud` shows its output at once instead. */
export function runTool(script, args, { cwd = root, env = {}, loud = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...toolEnvironment(), ...env },
      stdio: ['ignore', loud ? 'inherit' : 'pipe', loud ? 'inherit' : 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve(code === 0 ? { ok: true } : { ok: false, output }));
  });
}

/** Runs named steps one after the other, prints the result and time of each, and goes on after a failure. */
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { toolEnvironment } from './pinned-node.mjs';

/**
 * @typedef {{ ok: boolean, output?: string }} StepResult
 * @typedef {{ name: string, run: () => StepResult | Promise<StepResult> }} Step
 */

/** Runs every step and answers whether all went well. @param {readonly Step[]} steps */
export async function runSteps(steps) {
  const failed = [];
  for (const { name, run } of steps) {
    const startedMs = performance.now();
    const { ok, output = '' } = await resultOf(run);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}  ${seconds} s`);
    if (output.trim() !== '') console.log(output.trimEnd().replaceAll(/^/gm, '      '));
    if (!ok) failed.push(name);
  }
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
  return failed.length === 0;
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

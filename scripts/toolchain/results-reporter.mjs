/**
 * A reporter for vitest that stores the result of each test file as soon as the file ends, a line of JSON each, in the
 * file that TEST_RESULTS names. What it has written survives a run that is killed; see `Line` in test-reports.mjs.
 */
import { appendFileSync, utimesSync } from 'node:fs';
import { relative } from 'node:path';
import { limits } from '@tunemate/testkit/extent';
import { root } from './paths.mjs';

const path = process.env.TEST_RESULTS;
const shownOfMessage = 2000;
/** Where an error outside any test came from: nothing else names its code. */
const shownFrames = 5;

export default class ResultsReporter {
  onTestRunStart(specifications) {
    write({ files: specifications.map(({ moduleId }) => moduleId) });
  }

  /** The time of the file says when the last test ended. A failure is printed at once. */
  onTestCaseResult(test) {
    const now = new Date();
    utimesSync(path, now, now);
    if (test.result().state !== 'failed') return;
    const { title, message } = failure(test.fullName, test.result().errors);
    console.log(`\nFAIL  ${relative(root, test.module.moduleId)} > ${title}\n${message.slice(0, shownOfMessage)}`);
  }

  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()];
    const ended = (state) => tests.filter((test) => test.result().state === state);
    // Errors of a file or a group of tests: it could not be loaded, or what prepares its tests failed.
    const groups = [module, ...module.children.allSuites()].filter((group) => group.errors().length > 0);
    const failed = ended('failed');
    const skipped = ended('skipped');
    const onPostgres = skipped.filter((test) => test.fullName.includes(' on PostgreSQL > ')).length;
    const looks = tests.reduce((sum, test) => sum + (test.meta().looksLeftOut ?? 0), 0);
    write({
      file: module.moduleId,
      project: module.project.name,
      ms: Math.round(module.diagnostic().duration),
      passed: ended('passed').length,
      notRun: skipped.length,
      leftOut: { onPostgres, elsewhere: skipped.length - onPostgres, looks },
      hasWaited: [...failed, ...groups].some(hasWaited),
      failures: [
        ...groups.map((group) => failure(group.fullName ?? module.moduleId, group.errors())),
        ...failed.map((test) => failure(test.fullName, test.result().errors)),
      ],
    });
  }

  onTestRunEnd(_modules, errors) {
    const ofFile = (error) => {
      const { title, message } = failure('outside any test', [error]);
      const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
      const file = error.VITEST_TEST_PATH;
      const where = file === undefined ? title : `${title} of ${relative(root, file)}`;
      return { title: where, message: [message, ...frames.slice(0, shownFrames)].join('\n'), file };
    };
    write({ errors: errors.map(ofFile) });
  }
}

/** Whether a test, or what prepares a group of tests, failed after a wait and not at once. */
function hasWaited(one) {
  const errors = one.result?.().errors ?? one.errors?.() ?? [];
  return one.diagnostic?.()?.duration >= limits.node.poll || errors.some(({ message }) => /timed out/.test(message));
}

function failure(title, errors = []) {
  return { title, message: errors.map(wordsOf).join('\n') };
}

/** A property that fails says in its cause what its last run met. */
function wordsOf({ name = 'Error', message, cause }) {
  const words = `${name}: ${message}`;
  return cause?.message === undefined ? words : `${words}\nbecause of ${wordsOf(cause)}`;
}

function write(line) {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/**
 * A reporter for vitest that stores the result of each test file as soon as the file ends, a line of JSON each, in the
 * file that TEST_RESULTS names. What it has written survives a run that is killed; see `Line` in test-reports.mjs.
 */
import { appendFileSync, utimesSync } from 'node:fs';

const path = process.env.TEST_RESULTS;

export default class ResultsReporter {
  onTestRunStart(specifications) {
    write({ files: specifications.map(({ moduleId }) => moduleId) });
  }

  /** The time of the file says when the last test ended. */
  onTestCaseResult() {
    const now = new Date();
    utimesSync(path, now, now);
  }

  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()];
    const ended = (state) => tests.filter((test) => test.result().state === state);
    // Errors of a file or a group of tests: it could not be loaded, or what prepares its tests failed.
    const groups = [module, ...module.children.allSuites()].filter((group) => group.errors().length > 0);
    write({
      file: module.moduleId,
      ms: Math.round(module.diagnostic().duration),
      passed: ended('passed').length,
      notRun: ended('skipped').length,
      failures: [
        ...groups.map((group) => failure(group.fullName ?? module.moduleId, group.errors())),
        ...ended('failed').map((test) => failure(test.fullName, test.result().errors)),
      ],
    });
  }

  onTestRunEnd(_modules, errors) {
    write({ errors: errors.map((error) => failure('outside any test', [error])) });
  }
}

function failure(title, errors = []) {
  return { title, message: errors.map(({ name = 'Error', message }) => `${name}: ${message}`).join('\n') };
}

function write(line) {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

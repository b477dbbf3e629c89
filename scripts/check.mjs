/**
 * `npm run check`: everything that can be said about the code without running it, fast steps first.
 * Every step runs, so that one look shows all there is to mend. `--short` leaves out what a small change seldom breaks
 * and what takes long to find: code that is no longer used, commits, documents, the packages of an install.
 */
import { availableParallelism } from 'node:os';
import { forbiddenImports } from './checks/arrows.mjs';
import { circles } from './checks/circles.mjs';
import { bareTexts } from './checks/bare-text.mjs';
import { longSubjects, readCommits } from './checks/commits.mjs';
import { staleFiguresHere } from './checks/figures.mjs';
import { brokenPointers } from './checks/pointers.mjs';
import { productionProblems } from './checks/production.mjs';
import { impureCalls } from './checks/purity.mjs';
import { kindComparisons } from './checks/room-kinds.mjs';
import { readSpecs, ruleProblems } from './checks/rules.mjs';
import { sentenceProblems } from './checks/sentences.mjs';
import { settingProblemsHere } from './checks/settings.mjs';
import { readDocuments, readSources } from './checks/sources.mjs';
import { styleProblems } from './checks/style.mjs';
import { unnamedTests } from './checks/test-names.mjs';
import { unusedMembers } from './checks/unused-members.mjs';
import { looseNames } from './checks/whole-files.mjs';
import { filesUnder } from './toolchain/paths.mjs';
import { readArguments } from './toolchain/read-arguments.mjs';
import { checkStep, runSteps, toolStep } from './toolchain/steps.mjs';
import { toolScript } from './toolchain/tools.mjs';

const { values } = readArguments('npm run check -- [--short]', { options: { short: { type: 'boolean' } } });

const sources = readSources();
const typed = [
  'tsconfig.json',
  'web/tsconfig.json',
  ...['playback', 'protocol', 'domain'].map((one) => `${one}/tsconfig.json`),
];

const seldomBroken = [
  checkStep('packages of a production install', () => productionProblems()),
  checkStep('rules and tests', () => ruleProblems(readSpecs(), sources)),
  checkStep('nothing points outside', () => brokenPointers([...sources, ...readDocuments()], readSpecs())),
  checkStep('figures of this code', () => staleFiguresHere()),
  checkStep('subjects of commits', () => longSubjects(readCommits())),
  // First exports that only tests use; then exports that nothing uses.
  toolStep('unused in the product', toolScript('knip'), ['--production', '--include', 'files,exports,types']),
  toolStep('unused anywhere', toolScript('knip'), []),
];

const steps = [
  checkStep('one style', () => styleProblems(sources)),
  checkStep('two room kinds, one implementation', () => kindComparisons(sources)),
  checkStep('pure workspaces', () => impureCalls(sources)),
  checkStep('files get their names whole', () => looseNames(sources)),
  checkStep('no text beside other children', () => bareTexts(sources)),
  checkStep('sentences in every language', () => sentenceProblems(sources)),
  checkStep('import arrows', () => forbiddenImports(sources)),
  checkStep('no circles of files', () => circles(sources)),
  checkStep('limits, error codes and settings in use', () => unusedMembers(sources)),
  checkStep('places of settings', () => settingProblemsHere()),
  checkStep('tests named after their source', () => unnamedTests(filesUnder())),
  // The steps run side by side already: threads of one type checker would repeat each other's work.
  ...typed.map((config) =>
    toolStep(`types of ${config}`, toolScript('typescript', 'tsc'), ['-p', config, '--singleThreaded']),
  ),
  toolStep('lint', toolScript('oxlint'), ['--type-aware', '--quiet']),
  toolStep('format', toolScript('oxfmt'), ['--list-different']),
  ...(values.short ? [] : seldomBroken),
];
// The tools are programs of their own, each of which keeps one processor busy.
const ok = await runSteps(steps, { atOnce: availableParallelism() });
process.exitCode = ok ? 0 : 1;

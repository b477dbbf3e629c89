/** What `npm test` may be asked for. */
import { readArguments } from './read-arguments.mjs';

/** The parts of a run, in their order. `heard` runs by name only: it needs processors that nothing else uses. */
export const parts = ['check', 'unit', 'screens', 'e2e', 'heard'];

const usage = `npm test -- [FOLDER or FILE …] [--all] [--only=PART] [--loaded [--times=N]]

  FOLDER or FILE  the tests of that place alone, for example web/src/rooms or e2e/chat.spec.ts
  --all           everything: PostgreSQL and the other services, every seed, look and language, every journey.
                  CI=true means the same
  --only=PART     one part: ${parts.join(', ')} (heard listens to two real browsers on a machine with nothing
                  else to do)
  --loaded        five times, or --times=N, beside two programs that keep the processors busy`;

/**
 * Ends the program when an argument is unknown.
 * @returns {{ all: boolean, only?: string, loaded: boolean, times: number, paths: string[] }}
 */
export function readTestArguments() {
  const { values, positionals } = readArguments(usage, {
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: process.env.CI === 'true' || process.env.TESTS === 'all' },
      only: { type: 'string' },
      loaded: { type: 'boolean', default: false },
      times: { type: 'string', default: '5' },
    },
  });
  const { all, only, loaded } = values;
  const times = Number(values.times);
  if ((only !== undefined && !parts.includes(only)) || !Number.isInteger(times) || times < 1) {
    console.error(usage);
    process.exit(1);
  }
  return { all, only, loaded, times, paths: positionals };
}

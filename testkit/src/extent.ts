/**
 * How much of the tests a run covers, and how long it waits for each. In CI and with `npm test -- --all` a run covers
 * everything and waits long, since a busy machine is no failure. At home it covers what a change usually breaks, and a
 * test that hangs says so soon; `npm test` runs such a test once more with the long limits before it counts as failed.
 */

/** Whether this run covers everything, on every database and in every look. */
export const coversEverything = process.env['CI'] === 'true' || process.env['TESTS'] === 'all';

/** The seeds of a world that the short form tries; see `seedsOf`. */
export const seedsAtHome = 40;

/** How many of `all` seeds of a simulated world this run tries. */
export const seedsOf = (all: number): number => (coversEverything ? all : Math.min(all, seedsAtHome));

/**
 * Of what tries random cases: each day others where everything is covered, and always the same at home. A failure says
 * which; with `TESTS=all SEED=20786` the same cases are tried again.
 */
export const seedOfDay = Number(process.env['SEED'] ?? (coversEverything ? Math.floor(Date.now() / 86_400_000) : 1));

/** In milliseconds. */
export interface Limits {
  /** Of a test, and of what prepares it. */
  readonly test: number;
  /** Of a wait for a state. */
  readonly poll: number;
}

const isPatient = coversEverything || process.env['TEST_LIMITS'] === 'long';

/** Of a test in Node, of one of a screen, and of a journey, whose actions may take as long as its waits. */
export const limits: Readonly<Record<'node' | 'screen' | 'journey', Limits>> = isPatient
  ? {
      node: { test: 120_000, poll: 60_000 },
      screen: { test: 60_000, poll: 30_000 },
      journey: { test: 600_000, poll: 120_000 },
    }
  : {
      node: { test: 30_000, poll: 8_000 },
      // Longer than the ten seconds after which a silent player counts as failed.
      screen: { test: 30_000, poll: 15_000 },
      journey: { test: 120_000, poll: 20_000 },
    };

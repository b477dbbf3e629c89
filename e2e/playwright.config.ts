import { defineConfig } from '@playwright/test';
import { beepingMicrophone, chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { coversEverything, limits } from '@tunemate/testkit/extent';
import { keepTemporaryFilesInMemory } from '@tunemate/testkit/services/disks/memory-folder';
import { haveHindiFont } from '@tunemate/testkit/services/system-programs';

keepTemporaryFilesInMemory();
// No journey of the short form shows Hindi.
if (coversEverything) haveHindiFont();

const browser = chromiumLaunch({ prefersShell: true, isBrief: true });
const longStories = /(?:bad-evening|long-chat|people|presence|youtube)\.spec\.ts/;
/** Browsers that are short of processors stall, and the sound with them: these run alone. */
const heardStories = /heard\.spec\.ts/;

/** Browser journeys. Each starts the servers that it needs, so that nothing is shared between two. */
export default defineConfig({
  testDir: '.',
  // Node strips the types of our files itself. Playwright's compiler takes five times as long, and each of its workers
  // began anew.
  build: { external: ['**/*'] },
  outputDir: '../test-results/journeys',
  // Side by side: they wait most of the time, and none shares a server with another.
  workers: 4,
  fullyParallel: true,
  // Those that take longest begin first, so that none of them runs alone at the end.
  projects: [
    { name: 'long', testMatch: longStories },
    { name: 'stories', testIgnore: [longStories, heardStories] },
    { name: 'heard', testMatch: heardStories },
  ],
  forbidOnly: true,
  timeout: limits.journey.test,
  // What hangs outside a test ends too.
  globalTimeout: 2_700_000,
  expect: { timeout: limits.journey.poll },
  reporter: [['list'], ['json', { outputFile: process.env['JOURNEYS_REPORT'] ?? '../test-results/journeys.json' }]],
  use: {
    // One browser for all that need no other: a file with flags of its own starts its workers anew.
    launchOptions: { ...browser, args: [...browser.args, ...beepingMicrophone] },
    // So that a test that waits in vain says for what.
    actionTimeout: 2 * limits.journey.poll,
    locale: 'en-GB',
    // What was done and said, and no picture of the page with each: those cost every journey a tenth of its work.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
});

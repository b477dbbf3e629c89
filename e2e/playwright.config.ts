import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '@tunemate/testkit/chromium';

/** Browser journeys. Each starts the servers that it needs, so that nothing is shared between two. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/journeys',
  // Side by side: they wait most of the time, and none shares a server with another.
  workers: 2,
  forbidOnly: true,
  timeout: 300_000,
  // A busy machine is not a failure; what is slow shows in the figures.
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/journeys.json' }]],
  use: {
    launchOptions: chromiumLaunch(),
    locale: 'en-GB',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});

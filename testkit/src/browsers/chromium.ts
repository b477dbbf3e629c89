/**
 * Finds a Chromium for journeys and measurements: the one that CHROMIUM_PATH names, the system's, Playwright's own,
 * else it gets one. Decides the flags too, so that every browser of ours behaves the same.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { aptInstall, canInstall, findProgram, ServiceUnavailable } from '../services/system-programs.ts';

/** What Playwright's `launch` takes to start that browser. */
export interface ChromiumLaunch {
  readonly executablePath: string;
  readonly args: string[];
}

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const shell = 'chromium-headless-shell';
const foldersOffThePath = [
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
];

/** Flags that keep a test browser from phoning home, and from what a machine without a screen lacks. */
const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium's own, which beeps once a second, and is allowed to every page. */
export const beepingMicrophone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/**
 * A page of a journey is open for a minute: code that is compiled for speed, and a process that only draws, cost more than
 * they save.
 */
const briefFlags = ['--js-flags=--no-opt', '--in-process-gpu'];

/**
 * The browser and its flags. `autoplay` lets media start without a gesture, for measurements; journeys leave it off,
 * so that they meet the browser's real rule. `prefersShell` takes the same engine without what draws windows where
 * there is one: a fifth less work for a journey, but it has no push messages. `isBrief` is for journeys, whose pages are
 * not measured: a tenth less work. Throws `ServiceUnavailable`.
 */
export function chromiumLaunch({ autoplay = false, prefersShell = false, isBrief = false } = {}): ChromiumLaunch {
  return {
    executablePath: (prefersShell ? shellPath() : undefined) ?? chromiumPath(),
    args: [
      ...quietFlags,
      // Chromium's sandbox does not work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(isBrief ? briefFlags : []),
      ...(autoplay ? ['--autoplay-policy=no-user-gesture-required'] : []),
    ],
  };
}

/** The full path of a browser that runs. */
export function chromiumPath(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') {
    if (runs(given)) return given;
    throw new ServiceUnavailable(`CHROMIUM_PATH is ${given}, which does not run`);
  }
  const path = installed() ?? getPlaywrights() ?? getDebians();
  if (path !== undefined) return path;
  throw new ServiceUnavailable('there is no Chromium: set CHROMIUM_PATH, or run `npx playwright install chromium`');
}

/** Debian's, installed where Chromium is Debian's too. A browser that CHROMIUM_PATH names is meant for everything. */
function shellPath(): string | undefined {
  if ((process.env['CHROMIUM_PATH'] ?? '') !== '') return undefined;
  const find = (): string | undefined => {
    const path = findProgram([shell]);
    return path !== undefined && runs(path) ? path : undefined;
  };
  const found = find();
  if (found !== undefined || !canInstall() || !chromiumPath().startsWith('/usr/bin/')) return found;
  try {
    aptInstall(shell);
  } catch (error) {
    // Another distribution's Chromium: it does as well.
    if (!(error instanceof ServiceUnavailable)) throw error;
  }
  return find();
}

function installed(): string | undefined {
  const system = findProgram([...programs, 'Google Chrome', 'Chromium'], foldersOffThePath);
  return [system, chromium.executablePath()].find((path) => path !== undefined && runs(path));
}

function getPlaywrights(): string | undefined {
  process.stderr.write("testkit: there is no Chromium, getting Playwright's\n");
  const cli = join(import.meta.dirname, '../../../node_modules/.bin/playwright');
  spawnSync(cli, ['install', '--with-deps', 'chromium'], { stdio: ['ignore', 2, 2] });
  return installed();
}

function getDebians(): string | undefined {
  if (!canInstall()) return undefined;
  aptInstall('chromium');
  return installed();
}

/** Some systems have a stand-in of that name that only says how to get the real one. */
function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * WebKitGTK's small browser, driven by its own WebDriver on a screen in memory: as much of that protocol as a journey
 * needs. It plays through GStreamer, so it stands for WebKit's pages, not for Safari's media. Throws `ServiceUnavailable`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../services/free-port.ts';
import type { PlainPage } from './plain-page.ts';
import { findOrInstall, findProgram, ServiceUnavailable } from '../services/system-programs.ts';
import { makeTempDir } from '../services/temp-dir.ts';

const startTries = 600;
const browsers = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser';

interface Programs {
  readonly driver: string;
  readonly screen: string;
  readonly browser: string;
}

function programs(): Programs {
  return findOrInstall(
    installed,
    ['webkit2gtk-driver', 'xvfb'],
    'there is no WebKitGTK: install webkit2gtk-driver and xvfb',
  );
}

function installed(): Programs | undefined {
  const [driver, screen] = [findProgram(['WebKitWebDriver']), findProgram(['Xvfb'])];
  const browser = globSync(browsers)[0];
  return driver === undefined || screen === undefined || browser === undefined
    ? undefined
    : { driver, screen, browser };
}

/** Opens a page in a browser of its own. */
export async function openWebkitPage(): Promise<PlainPage> {
  const { driver, screen, browser } = programs();
  const home = await makeTempDir('webkit');
  const children: ChildProcess[] = [];
  const end = async (): Promise<void> => {
    for (const child of children.toReversed()) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
    }
    await home.remove();
  };
  try {
    const display = await startScreen(screen, children);
    const port = await freePort();
    const env = { ...process.env, DISPLAY: display, HOME: home.path, XDG_RUNTIME_DIR: home.path, GDK_BACKEND: 'x11' };
    children.push(spawn(driver, [`--port=${String(port)}`], { env, stdio: 'ignore' }));
    const call = caller(`http://127.0.0.1:${String(port)}`);
    const options = { binary: browser, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const { sessionId } = (await untilAnswering(() => call('POST', '/session', { capabilities }))) as {
      sessionId: string;
    };
    return pageOf((method, path, body) => call(method, `/session/${sessionId}${path}`, body), end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** Answers the display's name, which it chooses itself. */
async function startScreen(program: string, children: ChildProcess[]): Promise<string> {
  const flags = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  children.push(child);
  const output = child.stdio[3];
  if (output === null || output === undefined) throw new Error('the screen tells nothing');
  const [number] = (await once(output, 'data')) as [Buffer];
  return `:${number.toString().trim()}`;
}

type Call = (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

function pageOf(call: Call, end: () => Promise<void>): PlainPage {
  return {
    goto: async (url) => void (await call('POST', '/url', { url })),
    reload: async () => void (await call('POST', '/refresh', {})),
    perform: async (actions) => void (await call('POST', '/actions', { actions })),
    async evaluate(expression) {
      const script = `const done = arguments[0];
        (async () => JSON.stringify(await (${expression})) ?? 'null')().then(done, error => done('!' + error));`;
      const text = String(await call('POST', '/execute/async', { script, args: [] }));
      if (text.startsWith('!')) throw new Error(`WebKit could not evaluate ${expression}: ${text.slice(1)}`);
      return JSON.parse(text) as unknown;
    },
    async close() {
      await call('DELETE', '').catch(() => undefined);
      await end();
    },
  };
}

function caller(address: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null };
    if (!answer.ok) throw new Error(`${path}: ${value?.error ?? ''} ${value?.message ?? String(answer.status)}`);
    return value;
  };
}

/** The driver takes a while until it listens. */
async function untilAnswering(ask: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 0; tries < startTries; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      // Only a refused connection means that it is still starting.
      if (!(error instanceof TypeError)) throw error;
      await pause(200);
    }
  }
  throw new ServiceUnavailable('WebKitWebDriver does not answer');
}

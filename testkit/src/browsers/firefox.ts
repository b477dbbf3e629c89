/**
 * Debian's Firefox, driven over WebDriver BiDi: as much of that protocol as measurements and journeys need. Playwright
 * drives only a Firefox of its own make. Throws `ServiceUnavailable`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import { freePort } from '../services/free-port.ts';
import type { PlainPage } from './plain-page.ts';
import { findOrInstall, findProgram, ServiceUnavailable } from '../services/system-programs.ts';
import { makeTempDir } from '../services/temp-dir.ts';

/** Two minutes: on a busy machine a first start takes many seconds. */
const startTries = 600;
const preferences = {
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
  'media.cubeb.backend': 'pulse-rust',
  'browser.shell.checkDefaultBrowser': false,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'ui.prefersReducedMotion': 1,
};

/** One page with cookies of its own. */
export interface FirefoxPage extends PlainPage {
  /** Runs before each document's own scripts; the text of a function without arguments. */
  addInitScript(functionText: string): Promise<void>;
  setCookie(name: string, value: string, url: string): Promise<void>;
  /** Opens a tab in front of it; what is answered closes that tab. */
  hide(): Promise<() => Promise<void>>;
}

export interface Firefox {
  /** A window of its own, in sight like all others. */
  openPage(): Promise<FirefoxPage>;
  close(): Promise<void>;
}

/** The full path of a Firefox: the one that FIREFOX_PATH names, the system's, else Debian's. */
function firefoxPath(): string {
  const given = process.env['FIREFOX_PATH'];
  if (given !== undefined && given !== '') return given;
  return findOrInstall(
    () => findProgram(['firefox-esr', 'firefox']),
    // Firefox plays AAC only by the libraries of ffmpeg, which are called otherwise in each release.
    ['firefox-esr', 'ffmpeg'],
    'there is no Firefox: set FIREFOX_PATH, or install firefox-esr',
  );
}

/** Opens a page in a browser of its own; `env` is the browser's environment. */
export async function openFirefoxPage(env: Record<string, string>): Promise<FirefoxPage> {
  const browser = await startFirefox(env);
  const page = await browser.openPage();
  return { ...page, close: () => browser.close() };
}

/** Starts a browser without a window. */
export async function startFirefox(env: NodeJS.ProcessEnv = process.env): Promise<Firefox> {
  const path = firefoxPath();
  const profile = await makeTempDir('firefox');
  const lines = Object.entries(preferences).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`);
  await writeFile(join(profile.path, 'user.js'), lines.join('\n'));
  const port = await freePort();
  const flags = ['--headless', '--no-remote', '--profile', profile.path, `--remote-debugging-port=${String(port)}`];
  const browser = spawn(path, [...flags, 'about:blank'], { env, stdio: 'ignore' });
  const ended = once(browser, 'exit');
  const end = async (socket: WebSocket | null): Promise<void> => {
    await Promise.race([ended, pause(5000, undefined, { ref: false })]);
    browser.kill('SIGKILL');
    await ended;
    socket?.close();
    await profile.remove();
  };
  const socket = await connected(`ws://127.0.0.1:${String(port)}/session`).catch(async (error: unknown) => {
    browser.kill();
    await end(null);
    throw error;
  });
  const send = commands(socket);
  await send('session.new', { capabilities: {} });
  return {
    openPage: () => openPage(send),
    async close() {
      await send('browser.close', {});
      await end(socket);
    },
  };
}

interface Evaluated {
  readonly type: string;
  readonly result?: { readonly value: string };
  readonly exceptionDetails?: { readonly text: string };
}

async function openPage(send: Send): Promise<FirefoxPage> {
  const { userContext } = (await send('browser.createUserContext', {})) as { userContext: string };
  const { context } = (await send('browsingContext.create', { type: 'window', userContext })) as { context: string };
  return {
    async addInitScript(functionDeclaration) {
      await send('script.addPreloadScript', { functionDeclaration, contexts: [context] });
    },
    async setCookie(name, value, url) {
      const { hostname } = new URL(url);
      const cookie = { name, value: { type: 'string', value }, domain: hostname, path: '/', httpOnly: true };
      await send('storage.setCookie', {
        cookie,
        partition: { type: 'storageKey', userContext, sourceOrigin: new URL(url).origin },
      });
    },
    async hide() {
      const tab = { type: 'tab', userContext, referenceContext: context };
      const { context: front } = (await send('browsingContext.create', tab)) as { context: string };
      return async () => void (await send('browsingContext.close', { context: front }));
    },
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    reload: async () => void (await send('browsingContext.reload', { context, wait: 'complete' })),
    perform: async (actions) => void (await send('input.performActions', { context, actions })),
    async evaluate(expression) {
      const answer = await send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
        target: { context },
        awaitPromise: true,
      });
      const { type, result, exceptionDetails } = answer as Evaluated;
      if (type !== 'success' || result === undefined) {
        throw new Error(`Firefox could not evaluate ${expression}: ${exceptionDetails?.text ?? type}`);
      }
      return JSON.parse(result.value) as unknown;
    },
    close: async () => void (await send('browser.removeUserContext', { userContext })),
  };
}

async function connected(url: string): Promise<WebSocket> {
  for (let tries = 0; tries < startTries; tries += 1) {
    const socket = new WebSocket(url);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return socket;
    await pause(200);
  }
  throw new ServiceUnavailable('Firefox does not answer over WebDriver BiDi');
}

interface Answer {
  id?: number;
  type: string;
  result?: unknown;
  message?: string;
}

type Send = (method: string, params: object) => Promise<unknown>;

/** One command after the other over the socket, each with its own answer. */
function commands(socket: WebSocket): Send {
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString('utf8')) as Answer;
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, ({ type, result, message }) => {
        if (type === 'success') resolve(result);
        else reject(new Error(`${method}: ${message ?? type}`));
      });
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
}

/**
 * One Tunemate in a container, as `docker run` and compose.yaml start it: nothing writable but `/data` and `/tmp`, no
 * capabilities, no new rights, an init. And one person of it, with what the checks ask.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { protocolVersion } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openClient } from '@tunemate/testkit/network/client';
import { createHttpVisitor, type HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { freePort } from '@tunemate/testkit/services/free-port';
import type { Engine, Ran } from './engine.ts';

const likeCompose = [
  ...['--init', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--pull', 'never', '--network', 'host'],
];
const readyWithinMs = 60_000;

export interface Started {
  readonly name: string;
  readonly url: string;
  /** `tunemate …args` in the container. */
  command(...args: readonly string[]): Promise<string>;
  /** What it has printed. */
  log(): Promise<string>;
  /** As `docker stop --time 15`; answers its exit code. */
  stop(): Promise<number>;
}

interface RunOptions {
  readonly image: string;
  /** A volume's name, or a folder. */
  readonly data: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** Starts it and waits until it is ready; throws with its log when it ends before. */
export async function startTunemate(
  engine: Engine,
  { image, data, env = {}, flags = [] }: RunOptions,
): Promise<Started> {
  const port = await freePort();
  const name = `tunemate-${String(port)}`;
  const url = `http://localhost:${String(port)}`;
  const settings = { PORT: String(port), PUBLIC_URL: url, ...env };
  const given = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const all = [...likeCompose, '--detach', '--name', name, '--volume', `${data}:/data`, ...given, ...flags];
  await engine.podman('run', ...all, image);
  const log = async () => (await engine.try('logs', name)).said;
  const started: Started = {
    name,
    url,
    command: (...args) => engine.podman('exec', name, 'tunemate', ...args),
    log,
    async stop() {
      await engine.podman('stop', '--time', '15', name);
      const code = Number(await engine.podman('inspect', '--format', '{{.State.ExitCode}}', name));
      await engine.podman('rm', name);
      return code;
    },
  };
  await untilReady(url, async () => {
    const state = await engine.try('inspect', '--format', '{{.State.Running}}', name);
    if (state.said.trim() !== 'true') throw new Error(`${image} ended:\n${await log()}`);
  });
  return started;
}

/** Waits until `/readyz` says so; `look` throws when it never will. */
export async function untilReady(url: string, look: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + readyWithinMs;
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await look();
    if (performance.now() > giveUpAt) throw new Error(`${url} was not ready in time`);
    await pause(200);
  }
}

/** The same without a wait, for a start that fails: its exit code and what it printed. */
export async function runToItsEnd(engine: Engine, { image, data, flags = [] }: RunOptions): Promise<Ran> {
  return await engine.try('run', '--rm', ...likeCompose, '--volume', `${data}:/data`, ...flags, image);
}

const account = { email: 'ann@example.test', password: 'a long password of ann' };

/** Signs Ann up, verifies her by the operator's command, and signs her in. */
export async function joinAsAnn({ url, command }: Pick<Started, 'url' | 'command'>): Promise<HttpVisitor> {
  const visitor = createHttpVisitor(url, url);
  const answer = await visitor.call('POST /api/accounts/sign-up', { name: 'Ann', ...account });
  if (!answer.result.ok) throw new Error(`signing up: ${answer.result.error.code}`);
  await command('people', 'verify', account.email);
  return await signInAsAnn(url);
}

/** Throws when her account or her password is not there. */
export async function signInAsAnn(url: string): Promise<HttpVisitor> {
  const visitor = createHttpVisitor(url, url);
  const { result } = await visitor.call('POST /api/accounts/sign-in', account);
  if (!result.ok) throw new Error(`signing in: ${result.error.code}`);
  return visitor;
}

/** Opens the socket, says hello and makes a room; answers its code. */
export async function makeRoom(url: string, visitor: HttpVisitor): Promise<string> {
  const line = await openClient(url, { cookie: visitor.cookie() });
  const ask = async (...request: Parameters<typeof line.request>) => valueOf(await line.request(...request));
  await ask('session/hello', { protocolVersion, tabId: crypto.randomUUID() });
  const room = await ask('rooms/create', { clientId: newClientId(), kind: 'audio', name: 'In a container' });
  line.disconnect();
  return (room as { code: string }).code;
}

/**
 * A throw-away Supysonic, a music server that speaks the Subsonic protocol: Debian's package on a free port, with one
 * account and a folder of generated tracks. It knows no extensions, and accepts the password alone.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon, startWithRetry } from '../daemon.ts';
import { freePort } from '../free-port.ts';
import { ffmpegPath, findOrInstall, findProgram } from '../system-programs.ts';
import { makeTempDir } from '../temp-dir.ts';

const run = promisify(execFile);
const packages = ['supysonic', 'python3-waitress'];

/** A track of generated sound. */
export interface GeneratedTrack {
  /** In the folder; the extension chooses the format. */
  readonly file: string;
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly number: number;
  readonly seconds: number;
  /** In its tags. */
  readonly lyrics?: string;
}

export interface TestSupysonic {
  /** For SUBSONIC_URL, SUBSONIC_USER and SUBSONIC_PASSWORD. */
  readonly env: Readonly<Record<'SUBSONIC_URL' | 'SUBSONIC_USER' | 'SUBSONIC_PASSWORD', string>>;
  /** Where its tracks are. */
  readonly folder: string;
  /** Reads the folder again, for what was added or removed. */
  scan(): Promise<void>;
  setPassword(password: string): Promise<void>;
  /** A call of the protocol in the name of an account, which is made where there is none yet. */
  ask(user: string, method: string, parameters: Readonly<Record<string, string | readonly string[]>>): Promise<object>;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Throws `ServiceUnavailable`. */
export async function startSupysonic(tracks: readonly GeneratedTrack[]): Promise<TestSupysonic> {
  const find = (name: string) => findOrInstall(() => findProgram([name]), packages, `there is no ${name}`);
  const [server, cli] = [find('supysonic-server'), find('supysonic-cli')];
  const dir = await makeTempDir('supysonic');
  const folder = join(dir.path, 'music');
  await Promise.all(tracks.map((track) => generate(folder, track)));
  const database = `[base]\ndatabase_uri = sqlite:///${join(dir.path, 'supysonic.db')}\n`;
  const settings = `${database}[webapp]\ncache_dir = ${join(dir.path, 'cache')}\n`;
  await mkdir(join(dir.path, '.config/supysonic'), { recursive: true });
  await writeFile(join(dir.path, '.config/supysonic/supysonic.conf'), settings);
  // It reads its settings below the home folder.
  const env = { ...process.env, HOME: dir.path };
  const command = (...args: string[]) => run(cli, args, { env, cwd: dir.path });
  const password = 'open sesame & more';
  await command('user', 'add', 'tunemate', '-p', password);
  await command('folder', 'add', 'Music', folder);
  const scan = async () => void (await command('folder', 'scan', '--foreground', 'Music'));
  await scan();
  const start = (port: number) =>
    startDaemon({
      command: '/usr/bin/env',
      // For words that it lacks it would ask a server outside.
      args: [
        `HOME=${dir.path}`,
        'http_proxy=http://127.0.0.1:9',
        server,
        '-S',
        'waitress',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
      ],
      ready: () =>
        fetch(`http://127.0.0.1:${String(port)}/rest/ping.view`).then(
          () => true,
          () => false,
        ),
    });
  let port = 0;
  let daemon = await startWithRetry(async () => start((port = await freePort())));
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    env: { SUBSONIC_URL: url, SUBSONIC_USER: 'tunemate', SUBSONIC_PASSWORD: password },
    folder,
    scan,
    async setPassword(next) {
      await command('user', 'changepass', 'tunemate', '-p', next);
    },
    async ask(user, method, parameters) {
      if (user !== 'tunemate') await command('user', 'add', user, '-p', password).catch(() => undefined);
      const form = new URLSearchParams({ u: user, p: password, v: '1.10.2', c: 'a test', f: 'json' });
      for (const [name, value] of Object.entries(parameters))
        for (const each of [value].flat()) form.append(name, each);
      const answer = await fetch(`${url}/rest/${method}.view`, { method: 'POST', body: form });
      const said = ((await answer.json()) as { 'subsonic-response': { status: string } })['subsonic-response'];
      if (said.status !== 'ok') throw new Error(`${method}: ${JSON.stringify(said)}`);
      return said;
    },
    kill: () => daemon.stop('SIGKILL'),
    async restart() {
      await daemon.stop('SIGKILL');
      daemon = await start(port);
    },
    async stop() {
      await daemon.stop('SIGKILL');
      await dir.remove();
    },
  };
}

async function generate(
  folder: string,
  { file, title, artist, album, number, seconds, lyrics }: GeneratedTrack,
): Promise<void> {
  const to = join(folder, file);
  await mkdir(dirname(to), { recursive: true });
  const sound = `sine=frequency=${String(220 + number * 40)}:duration=${String(seconds)}`;
  const tags = Object.entries({ title, artist, album, track: String(number), ...(lyrics !== undefined && { lyrics }) });
  const metadata = tags.flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  await run(ffmpegPath(), ['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', sound, ...metadata, to]);
}

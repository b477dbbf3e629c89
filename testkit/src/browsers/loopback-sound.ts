/**
 * A sound system without a sound card: PulseAudio with one sink whose channels are listeners. What each browser plays is
 * recorded on one clock, so two of them can be compared by their samples. Throws `ServiceUnavailable`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findOrInstall, findProgram, ServiceUnavailable } from '../services/system-programs.ts';
import { makeTempDir } from '../services/temp-dir.ts';

/** Samples a second of each channel. */
export const sampleRate = 48_000;
const channels = ['left', 'right'] as const;
const bytesPerSample = 2;
const startTries = 100;

/** What was recorded: one array of samples for each listener, from `startedAtMs` (milliseconds since the epoch) on. */
export interface Recording {
  readonly startedAtMs: number;
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/** A recording on its way. */
export interface Recorder {
  soFar(): Recording;
  stop(): Promise<void>;
}

export interface LoopbackSound {
  /** The environment of a program whose sound goes to one of the channels. */
  environment(channel: (typeof channels)[number]): Record<string, string>;
  /** Begins to record. Browsers that play already are moved by it: the sound system serves a recorder sooner. */
  record(): Promise<Recorder>;
  stop(): Promise<void>;
}

/** Starts it on a socket of its own, beside whatever sound the machine has. */
export async function startLoopbackSound(): Promise<LoopbackSound> {
  const [server, recorder, control] = ['pulseaudio', 'parec', 'pactl'].map(pulseProgram);
  if (server === undefined || recorder === undefined || control === undefined) throw new ServiceUnavailable('no sound');
  const folder = await makeTempDir('sound');
  const socket = `unix:${join(folder.path, 'socket')}`;
  const env = {
    ...withoutUndefined(process.env),
    PULSE_SERVER: socket,
    XDG_RUNTIME_DIR: folder.path,
    HOME: folder.path,
  };
  const modules = [
    `module-null-sink sink_name=heard rate=${String(sampleRate)} channels=2 channel_map=front-left,front-right`,
    ...channels.map(
      (name) =>
        `module-remap-sink sink_name=${name} master=heard channels=1 channel_map=mono master_channel_map=front-${name} remix=no`,
    ),
    `module-native-protocol-unix socket=${join(folder.path, 'socket')} auth-anonymous=1`,
  ];
  const flags = [
    '-n',
    '--daemonize=no',
    '--exit-idle-time=-1',
    '--use-pid-file=no',
    '--realtime=no',
    '--high-priority=no',
  ];
  const daemon = spawn(server, [...flags, ...modules.flatMap((module) => ['-L', module])], { env, stdio: 'ignore' });
  try {
    await untilAnswering(control, env);
  } catch (error) {
    daemon.kill();
    throw error;
  }
  return {
    environment: (channel) => ({ ...withoutUndefined(process.env), PULSE_SERVER: socket, PULSE_SINK: channel }),
    record: () => startRecording(recorder, env),
    async stop() {
      const ended = once(daemon, 'exit');
      daemon.kill();
      await ended;
      await folder.remove();
    },
  };
}

function pulseProgram(name: string): string {
  return findOrInstall(
    () => findProgram([name]),
    ['pulseaudio', 'pulseaudio-utils'],
    `there is no ${name}: install PulseAudio (Debian: pulseaudio, pulseaudio-utils)`,
  );
}

async function untilAnswering(control: string, env: Record<string, string>): Promise<void> {
  for (let tries = 0; tries < startTries; tries += 1) {
    const [code] = await once(spawn(control, ['info'], { env, stdio: 'ignore' }), 'exit');
    if (code === 0) return;
    await pause(100);
  }
  throw new ServiceUnavailable('PulseAudio does not start');
}

async function startRecording(recorder: string, env: Record<string, string>): Promise<Recorder> {
  const format = ['--format=s16le', `--rate=${String(sampleRate)}`, '--channels=2', '--latency-msec=20', '--raw'];
  const child: ChildProcess = spawn(recorder, ['--device=heard.monitor', ...format], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (child.stdout === null) throw new Error('the recorder has no output');
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  await once(child.stdout, 'data');
  const firstBytes = parts.reduce((sum, part) => sum + part.length, 0);
  const firstMs = (firstBytes / (bytesPerSample * channels.length) / sampleRate) * 1000;
  const startedAtMs = performance.timeOrigin + performance.now() - firstMs;
  return {
    soFar() {
      const bytes = Buffer.concat(parts);
      const length = Math.floor(bytes.length / (bytesPerSample * channels.length));
      const channel = (offset: number): Float64Array =>
        Float64Array.from({ length }, (_, at) => bytes.readInt16LE((at * channels.length + offset) * bytesPerSample));
      return { startedAtMs, left: channel(0), right: channel(1) };
    },
    async stop() {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    },
  };
}

function withoutUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

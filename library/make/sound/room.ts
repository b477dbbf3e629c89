/**
 * The space the music stands in: a reverb (feedback delay network of eight lines, Householder mixing)
 * and a ping-pong echo. Both take a stereo send and add into a stereo mix.
 */
import { highPass, lowPass } from './filters.ts';
import { sampleRate } from './voice.ts';

/** Two channels of equal length. */
export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** A silent stereo buffer. */
export function stereoSilence(samples: number): Stereo {
  return { left: new Float32Array(samples), right: new Float32Array(samples) };
}

/** Mutually prime lengths in samples, 26..82 ms: no two lines ever ring together. */
const lineLengths = [1153, 1447, 1733, 2029, 2347, 2741, 3167, 3613];

/** A short all-pass that smears an attack before it enters the network. */
function diffuser(length: number): (sample: number) => number {
  const line = new Float32Array(length);
  let at = 0;
  return (sample) => {
    const delayed = line[at] ?? 0;
    const into = sample - 0.6 * delayed;
    line[at] = into;
    at = (at + 1) % length;
    return delayed + 0.6 * into;
  };
}

/** Adds the reverberation of `send` to `mix`. `decaySeconds` is the time to -60 dB, `damping` in hertz. */
export function addReverb(mix: Stereo, send: Stereo, decaySeconds: number, damping: number): void {
  const lines = lineLengths.map((length) => ({
    line: new Float32Array(length),
    at: 0,
    gain: 10 ** ((-3 * length) / sampleRate / decaySeconds),
    dampen: lowPass(damping),
  }));
  const intoLeft = [diffuser(241), diffuser(557)];
  const intoRight = [diffuser(263), diffuser(601)];
  const cleanLeft = highPass(180);
  const cleanRight = highPass(180);
  const outputs = new Float64Array(lines.length);
  for (let i = 0; i < mix.left.length; i += 1) {
    let left = cleanLeft(send.left[i] ?? 0);
    let right = cleanRight(send.right[i] ?? 0);
    for (const smear of intoLeft) left = smear(left);
    for (const smear of intoRight) right = smear(right);
    let sum = 0;
    lines.forEach((line, n) => {
      const value = line.dampen(line.line[line.at] ?? 0) * line.gain;
      outputs[n] = value;
      sum += value;
    });
    const shared = (2 * sum) / lines.length;
    let wetLeft = 0;
    let wetRight = 0;
    lines.forEach((line, n) => {
      const value = outputs[n] ?? 0;
      line.line[line.at] = (n % 2 === 0 ? left : right) + value - shared;
      line.at = (line.at + 1) % line.line.length;
      if (n % 2 === 0) wetLeft += value;
      else wetRight += value;
    });
    mix.left[i] = (mix.left[i] ?? 0) + 0.5 * wetLeft;
    mix.right[i] = (mix.right[i] ?? 0) + 0.5 * wetRight;
  }
}

/** Adds an echo that crosses from side to side, darker each time. `delaySeconds` between repeats. */
export function addEcho(mix: Stereo, send: Stereo, delaySeconds: number, feedback: number): void {
  const length = Math.round(delaySeconds * sampleRate);
  const lineLeft = new Float32Array(length);
  const lineRight = new Float32Array(length);
  const darkLeft = lowPass(2600);
  const darkRight = lowPass(2600);
  for (let i = 0; i < mix.left.length; i += 1) {
    const at = i % length;
    const left = darkLeft(lineLeft[at] ?? 0);
    const right = darkRight(lineRight[at] ?? 0);
    lineLeft[at] = ((send.left[i] ?? 0) + (send.right[i] ?? 0)) / 2 + feedback * right;
    lineRight[at] = feedback * left;
    mix.left[i] = (mix.left[i] ?? 0) + left;
    mix.right[i] = (mix.right[i] ?? 0) + right;
  }
}

/**
 * Plays a piece into stereo samples: places each note, sends it to echo and reverb, masters the sum.
 */
import { noise, seededRandom } from '../random.ts';
import { master } from '../sound/master.ts';
import { addEcho, addReverb, stereoSilence } from '../sound/room.ts';
import type { Stereo } from '../sound/room.ts';
import { sampleRate } from '../sound/voice.ts';
import { pieceSeconds, secondsAt } from './piece.ts';
import type { Part, Piece } from './piece.ts';

/** About -18 dBFS: comfortable beside a video service's loudness. */
const targetRms = 0.125;

/** How far each sample is pushed down by the kicks: 1 right on a kick, falling to 0 in a third of a second. */
function kickEnvelope(piece: Piece, samples: number): Float32Array {
  const envelope = new Float32Array(samples);
  for (const note of piece.parts.find((part) => part.name === 'kick')?.notes ?? []) {
    const start = Math.round(secondsAt(piece, note.beat) * sampleRate);
    for (let i = 0; i < 0.35 * sampleRate && start + i < samples; i += 1) {
      envelope[start + i] = Math.max(envelope[start + i] ?? 0, note.velocity * Math.exp(-i / (0.11 * sampleRate)));
    }
  }
  return envelope;
}

function addScaled(mix: Stereo, part: Stereo, amount: number): void {
  for (let i = 0; i < mix.left.length; i += 1) {
    mix.left[i] = (mix.left[i] ?? 0) + amount * (part.left[i] ?? 0);
    mix.right[i] = (mix.right[i] ?? 0) + amount * (part.right[i] ?? 0);
  }
}

function playPart(piece: Piece, part: Part, seed: number, samples: number, kicks: Float32Array): Stereo {
  const random = seededRandom(seed);
  const out = stereoSilence(samples);
  part.notes.forEach((note, index) => {
    const human = note.beat === 0 ? 0 : 0.005 * noise(random);
    const at = Math.max(0, Math.round((secondsAt(piece, note.beat) + human) * sampleRate));
    const seconds = secondsAt(piece, note.beat + note.beats) - secondsAt(piece, note.beat);
    const velocity = Math.min(1, note.velocity * (1 + 0.08 * noise(random)));
    const sound = part.voice({ midi: note.midi, seconds, velocity }, random);
    const spread = (part.width ?? 0) * (index % 2 === 0 ? -1 : 1);
    const angle = ((Math.max(-1, Math.min(1, (part.pan ?? 0) + spread)) + 1) * Math.PI) / 4;
    const left = Math.cos(angle) * part.level;
    const right = Math.sin(angle) * part.level;
    for (let i = 0; i < sound.length && at + i < samples; i += 1) {
      out.left[at + i] = (out.left[at + i] ?? 0) + left * (sound[i] ?? 0);
      out.right[at + i] = (out.right[at + i] ?? 0) + right * (sound[i] ?? 0);
    }
  });
  if (part.duck !== undefined) {
    for (let i = 0; i < samples; i += 1) {
      const kept = 1 - part.duck * (kicks[i] ?? 0);
      out.left[i] = (out.left[i] ?? 0) * kept;
      out.right[i] = (out.right[i] ?? 0) * kept;
    }
  }
  return out;
}

/** The finished piece, mastered, at `sampleRate`. */
export function renderPiece(piece: Piece): Stereo {
  const samples = Math.round(pieceSeconds(piece) * sampleRate);
  const mix = stereoSilence(samples);
  const echoSend = stereoSilence(samples);
  const reverbSend = stereoSilence(samples);
  const kicks = kickEnvelope(piece, samples);
  piece.parts.forEach((part, index) => {
    const sound = playPart(piece, part, piece.seed * 100 + index, samples, kicks);
    addScaled(mix, sound, 1);
    addScaled(echoSend, sound, part.echo ?? 0);
    addScaled(reverbSend, sound, part.reverb ?? 0);
  });
  const echoes = stereoSilence(samples);
  addEcho(echoes, echoSend, (piece.echoBeats * 60) / piece.beatsPerMinute, 0.42);
  addScaled(mix, echoes, 1);
  addScaled(reverbSend, echoes, 0.35);
  addReverb(mix, reverbSend, piece.reverbSeconds, 4600);
  master(mix, targetRms, 0.02, 4);
  return mix;
}

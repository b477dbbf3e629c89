/** Poppy Season: the sun crosses the sky in the length of the piece, and every note of the tune wakes a poppy. */
import { poppySeason } from '../music/pieces/poppy-season.ts';
import { inks } from '../pictures/inks.ts';
import { disc, placed, poppy, px, rect, shape, stroke } from '../pictures/shapes.ts';
import { bandAt, frameRate } from './band.ts';
import { cuesOf, pressed, progress, pulse } from './cues.ts';
import type { Cue } from './cues.ts';

const { ink, paper, persimmon, blush, celadon } = inks;

const lead = cuesOf(poppySeason, 'lead');
const kicks = cuesOf(poppySeason, 'kick');
const keysInTune = [...new Set(lead.map((cue) => cue.midi))].sort((a, b) => a - b);

interface Plant {
  readonly x: number;
  readonly height: number;
  readonly size: number;
  readonly cues: readonly Cue[];
}

/** One plant for each key of the tune, low keys on the left; heights fall into two rows. */
const plants: readonly Plant[] = keysInTune.map((midi, index) => ({
  x: 46 + (548 * index) / (keysInTune.length - 1),
  height: [126, 74, 158, 98, 52][index % 5] ?? 100,
  size: [2.3, 1.6, 2.7, 2, 1.5][index % 5] ?? 2,
  cues: lead.filter((cue) => cue.midi === midi),
}));

function plantAt(plant: Plant, index: number, seconds: number): string {
  const first = plant.cues[0]?.atSeconds ?? Number.POSITIVE_INFINITY;
  const grown = pressed((seconds - first + 0.35) / 0.7);
  const asleep = 0.3;
  const open = asleep + (1 - asleep) * grown;
  const wake = pulse(plant.cues, seconds, 0.9);
  const sway = 5 * Math.sin(seconds * 1.9 + index * 1.3) + 7 * wake;
  const foot = 306;
  const tall = plant.height * (0.55 + 0.45 * grown) + 6 * wake;
  const top = { x: plant.x + sway, y: foot - tall };
  return (
    stroke(`M${px(plant.x)} ${foot}Q${px(plant.x)} ${px(foot - tall / 2)} ${px(top.x)} ${px(top.y)}`, ink, 4) +
    placed(top.x, top.y, 0, plant.size * open * (1 + 0.3 * wake), poppy(persimmon, ink))
  );
}

/** The picture of one frame. */
export function poppySeasonFrame(frame: number): string {
  const seconds = frame / frameRate;
  const day = progress(poppySeason, seconds);
  const angle = Math.PI * (1.06 - 1.12 * day);
  const sun = { x: 320 + 300 * Math.cos(angle), y: 250 - 180 * Math.sin(angle) };
  const swell = 5 * pulse(kicks, seconds, 0.8);
  return (
    rect(0, 0, 640, 360, blush) +
    disc(sun.x, sun.y, 56 + swell, paper) +
    shape('M0 262C120 196 220 196 330 238S540 262 640 206V320H0z', celadon) +
    plants.map((plant, index) => plantAt(plant, index, seconds)).join('') +
    bandAt(frame, ink, paper)
  );
}

/** Two Reels: tape runs from one reel to the other as the piece goes by; the head shows the levels. */
import { twoReels } from '../music/pieces/two-reels.ts';
import { inks } from '../pictures/inks.ts';
import { disc, placed, px, rect, reel, ring, stroke } from '../pictures/shapes.ts';
import { bandAt, frameRate } from './band.ts';
import { cuesOf, progress, pulse } from './cues.ts';

const { ink, ground, lift, paper, persimmon } = inks;

const kicks = cuesOf(twoReels, 'kick');
const lead = cuesOf(twoReels, 'lead');
const keys = cuesOf(twoReels, 'keys');
const bass = cuesOf(twoReels, 'bass');

/** Degrees a second of a full reel: slow enough to see its three windows pass. */
const fullReelSpeed = 80;

/** Pixels from the axis to the edge of the tape: what moves across is area, not radius. */
const emptyRadius = 62;
const fullRadius = 112;
function tapeRadius(share: number): number {
  return Math.sqrt(emptyRadius ** 2 + share * (fullRadius ** 2 - emptyRadius ** 2));
}

/** Turned so far: a reel turns faster the less tape it holds, so its angle is the sum over time. */
function turned(shareAt: (t: number) => number, seconds: number): number {
  const steps = 64;
  let degrees = 0;
  for (let i = 0; i < steps; i += 1) {
    const t = (seconds * (i + 0.5)) / steps;
    degrees += ((fullReelSpeed * fullRadius) / tapeRadius(shareAt(t))) * (seconds / steps);
  }
  return degrees % 360;
}

function spool(x: number, y: number, share: number, degrees: number): string {
  const radius = tapeRadius(share);
  return (
    disc(x, y, 118, lift) +
    disc(x, y, radius, persimmon) +
    ring(x, y, (radius + emptyRadius) / 2, ink, 1) +
    ring(x, y, radius - 4, ink, 1) +
    placed(x, y, degrees, 0.56, reel(paper, ink, persimmon))
  );
}

/** Bars beside the head: each listens to one part. */
function levels(seconds: number): string {
  const heights = [
    pulse(bass, seconds, 0.9),
    pulse(keys, seconds, 0.7),
    pulse(kicks, seconds, 0.5),
    pulse(lead, seconds, 1.2),
  ];
  return [...heights.toReversed(), ...heights]
    .map((height, index) => {
      const tall = 6 + 56 * height;
      return rect(267 + index * 14, 136 - tall / 2, 9, tall, paper);
    })
    .join('');
}

/** The picture of one frame. */
export function twoReelsFrame(frame: number): string {
  const seconds = frame / frameRate;
  const done = progress(twoReels, seconds);
  const leftAngle = turned((t) => 1 - progress(twoReels, t), seconds);
  const rightAngle = turned((t) => progress(twoReels, t), seconds);
  const sway = 3 * pulse(kicks, seconds, 0.5);
  const leftEdge = 132 - tapeRadius(1 - done);
  const rightEdge = 508 + tapeRadius(done);
  return (
    rect(0, 0, 640, 360, ground) +
    stroke(`M${px(leftEdge)} 140L206 ${px(272 + sway)}H434L${px(rightEdge)} 140`, persimmon, 4) +
    spool(132, 136, 1 - done, leftAngle) +
    spool(508, 136, done, rightAngle) +
    rect(274, 252, 92, 42, paper, 4) +
    rect(316, 252, 8, 42, ink) +
    disc(206, 272 + sway, 9, paper) +
    disc(434, 272 + sway, 9, paper) +
    levels(seconds) +
    bandAt(frame, persimmon, ink)
  );
}

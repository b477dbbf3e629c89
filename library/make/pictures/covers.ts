/**
 * One square printed cover for each piece, 600 x 600, flat inks only.
 */
import { tileShapes } from '../../../web/src/ui/records/tile-shapes.ts';
import { inks } from './inks.ts';
import { disc, picture, placed, poppy, rect, reel, ring, shape, stroke } from './shapes.ts';

const { ink, paper, persimmon, marigold, blush, celadon, sky, lilac } = inks;

/** A cup of coffee in the morning sun. */
function sundayKitchen(): string {
  const steam = [230, 290, 350].map((x) => stroke(`M${x} 236c-26-30 26-52 0-84s26-52 0-84`, ink, 16)).join('');
  return (
    rect(0, 0, 600, 600, marigold) +
    disc(450, 170, 104, paper) +
    steam +
    ring(436, 350, 56, ink, 30) +
    shape('M130 270h320v40a160 160 0 0 1-320 0z', ink) +
    rect(130, 284, 320, 26, persimmon) +
    rect(0, 496, 600, 104, paper) +
    rect(170, 470, 240, 26, ink, 13)
  );
}

/** The front of a tram, and rain. */
function rainOnTheTram(): string {
  const drops = [
    [40, 60, 90],
    [118, 210, 60],
    [60, 360, 80],
    [470, 30, 70],
    [540, 170, 96],
    [500, 350, 60],
    [330, 26, 50],
    [196, 34, 60],
    [566, 400, 66],
    [22, 500, 54],
  ]
    .map(([x = 0, y = 0, length = 0]) => stroke(`M${x} ${y}l${-length * 0.28} ${length}`, paper, 11))
    .join('');
  return (
    rect(0, 0, 600, 600, sky) +
    drops +
    stroke('M300 130L260 70h80z', ink, 12) +
    rect(150, 128, 300, 410, ink, 44) +
    rect(182, 164, 236, 44, marigold, 8) +
    rect(182, 226, 110, 128, paper, 8) +
    rect(308, 226, 110, 128, paper, 8) +
    rect(150, 384, 300, 56, persimmon) +
    disc(208, 482, 25, paper) +
    disc(392, 482, 25, paper) +
    rect(0, 556, 600, 44, ink)
  );
}

function lantern(x: number, top: number, radius: number, skin: string): string {
  const ribs = [0.36, 0.78]
    .map(
      (part) =>
        `<ellipse cx="${x}" cy="${top + radius}" rx="${radius * part}" ry="${radius * 0.98}" fill="none" stroke="${ink}" stroke-width="7"/>`,
    )
    .join('');
  return (
    rect(x - 4, 0, 8, top, ink) +
    disc(x, top + radius, radius, skin) +
    ribs +
    rect(x - radius * 0.42, top - 8, radius * 0.84, 24, ink) +
    rect(x - radius * 0.42, top + 2 * radius - 16, radius * 0.84, 24, ink) +
    rect(x - 5, top + 2 * radius, 10, radius * 0.7, ink)
  );
}

/** Lanterns on their strings. */
function paperLanterns(): string {
  return (
    rect(0, 0, 600, 600, persimmon) +
    lantern(262, 396, 62, paper) +
    lantern(132, 92, 98, marigold) +
    lantern(420, 190, 128, paper) +
    lantern(548, 44, 50, marigold)
  );
}

/** A street at night, with three windows still lit. */
function walkingHome(): string {
  const windows = [
    [60, 330, paper],
    [60, 420, marigold],
    [236, 250, marigold],
    [304, 250, paper],
    [236, 340, paper],
    [304, 430, marigold],
    [482, 380, marigold],
  ] as const;
  return (
    rect(0, 0, 600, 600, lilac) +
    disc(436, 140, 92, paper) +
    disc(476, 120, 80, lilac) +
    shape('M0 540V300L88 220l88 80v240z', ink) +
    rect(200, 190, 180, 360, ink) +
    shape('M404 540V330a98 98 0 0 1 196 0v210z', ink) +
    windows.map(([x, y, fill]) => rect(x, y, 42, 54, fill)).join('') +
    rect(0, 536, 600, 64, ink) +
    [0, 1, 2, 3].map((index) => rect(24 + index * 150, 562, 90, 12, paper)).join('')
  );
}

/** Two reels and the tape between them. */
function twoReels(): string {
  return (
    rect(0, 0, 600, 600, persimmon) +
    placed(196, 214, 14, 1.66, disc(0, 0, 100, ink)) +
    placed(196, 214, 14, 1.5, reel(ink, persimmon, paper)) +
    placed(438, 348, 40, 1.3, disc(0, 0, 100, ink)) +
    placed(438, 348, 40, 1.16, reel(paper, ink, persimmon)) +
    stroke('M34 240L120 520H480L566 370', ink, 12) +
    rect(228, 486, 144, 64, paper, 4) +
    rect(292, 486, 16, 64, ink)
  );
}

/** Three poppies, a hill and the sun. */
function poppySeason(): string {
  return (
    rect(0, 0, 600, 600, blush) +
    disc(176, 190, 116, paper) +
    shape('M0 470C140 380 260 400 380 440S540 450 600 410V600H0z', celadon) +
    stroke(
      'M400 600C404 470 396 380 404 250M262 600C260 540 268 480 258 410M520 600C516 540 524 500 518 440',
      ink,
      12,
    ) +
    shape('M402 470c40-6 66-30 72-74-42 4-68 28-72 74zM260 540c-36-4-56-24-62-60 36 2 58 22 62 60z', ink) +
    placed(404, 232, 0, 9.2, poppy(persimmon, ink)) +
    placed(258, 396, 0, 6, poppy(persimmon, ink)) +
    placed(518, 426, 0, 5, poppy(persimmon, ink))
  );
}

/** Sixteen tiles, each shape once. */
function cityOfTiles(): string {
  const order = ['C', '6', '8', '0', 'B', '5', 'E', '2', '4', 'A', '3', '9', '7', 'F', 'D', '1'];
  const pairs = [
    [marigold, ink],
    [ink, marigold],
    [paper, ink],
    [marigold, paper],
    [ink, paper],
    [paper, marigold],
  ] as const;
  return order
    .map((name, index) => {
      const [back, front] = pairs[(index * 5 + Math.floor(index / 4)) % pairs.length] ?? pairs[0];
      const [x, y] = [(index % 4) * 150, Math.floor(index / 4) * 150];
      return (
        rect(x, y, 150, 150, back) +
        `<g transform="translate(${x} ${y}) scale(6.25)">${shape(tileShapes[name] ?? '', front)}</g>`
      );
    })
    .join('');
}

const covers: Record<string, () => string> = {
  'sunday-kitchen': sundayKitchen,
  'rain-on-the-tram': rainOnTheTram,
  'paper-lanterns': paperLanterns,
  'walking-home': walkingHome,
  'two-reels': twoReels,
  'poppy-season': poppySeason,
  'city-of-tiles': cityOfTiles,
};

/** The cover of a piece as SVG, 600 x 600. */
export function coverOf(pieceId: string): string {
  const draw = covers[pieceId];
  if (draw === undefined) throw new Error(`no cover for ${pieceId}`);
  return picture(600, 600, draw());
}

/** City of Tiles: thirty-two tiles. The left hand turns them, the right hand reprints them, the bass sets the ink. */
import { tileShapes } from '../../../web/src/ui/records/tile-shapes.ts';
import { cityOfTiles } from '../music/pieces/city-of-tiles.ts';
import { inks } from '../pictures/inks.ts';
import { rect, shape } from '../pictures/shapes.ts';
import { seededRandom } from '../random.ts';
import { bandAt, frameRate } from './band.ts';
import { cuesOf, eased, pressed } from './cues.ts';

const { ink, paper, persimmon, marigold, celadon, lilac } = inks;

const columns = 8;
const rows = 4;
const width = 80;
const height = 76;
const names = Object.keys(tileShapes);

interface TileEvent {
  readonly atSeconds: number;
  readonly turns: boolean;
  readonly shape: number;
  readonly pair: number;
}

/** Everything that will ever happen to each tile, decided once from the score and one seed. */
function plan(): TileEvent[][] {
  const random = seededRandom(4);
  const tiles = Array.from({ length: columns * rows }, (): TileEvent[] => []);
  tiles.forEach((events) => {
    events.push({ atSeconds: -1, turns: false, shape: Math.floor(random() * 16), pair: Math.floor(random() * 6) });
  });
  const cues = [
    ...cuesOf(cityOfTiles, 'left').map((cue) => ({ ...cue, turns: true })),
    ...cuesOf(cityOfTiles, 'right').map((cue) => ({ ...cue, turns: false })),
  ].sort((a, b) => a.atSeconds - b.atSeconds);
  cues.forEach((cue, index) => {
    // Every second note is seen: more would be a blur, and cost more than the music.
    if (index % 2 === 1 && cue.atSeconds > 8) return;
    const events = tiles[Math.floor(random() * tiles.length)] ?? [];
    const before = events.at(-1);
    const next = cue.turns ? (before?.shape ?? 0) : Math.floor(random() * 16);
    events.push({
      atSeconds: cue.atSeconds,
      turns: cue.turns,
      shape: next,
      pair: cue.turns ? (before?.pair ?? 0) : Math.floor(random() * 6),
    });
  });
  return tiles;
}

const tiles = plan();

/** The third ink beside ink and paper; it crosses the picture as a diagonal every eight bars. */
const leadingInks = [marigold, persimmon, celadon, lilac, marigold];
const sectionSeconds = (8 * 4 * 60) / cityOfTiles.beatsPerMinute;

function leadingInk(column: number, row: number, seconds: number): string {
  const late = seconds - (column + row) * 0.09;
  return leadingInks[Math.max(0, Math.min(4, Math.floor(late / sectionSeconds)))] ?? marigold;
}

function tileAt(events: readonly TileEvent[], index: number, seconds: number): string {
  const column = index % columns;
  const row = Math.floor(index / columns);
  const past = events.filter((event) => event.atSeconds <= seconds);
  const last = past.at(-1);
  if (last === undefined) return '';
  const since = (seconds - last.atSeconds) / 0.22;
  const quarterTurns = past.filter((event) => event.turns).length;
  const degrees = 90 * (last.turns ? quarterTurns - 1 + eased(since) : quarterTurns);
  const size = last.turns ? 1 : 0.72 + 0.28 * pressed(since);
  const third = leadingInk(column, row, seconds);
  const pairs = [
    [third, ink],
    [ink, third],
    [paper, ink],
    [third, paper],
    [ink, paper],
    [paper, third],
  ] as const;
  const [back, front] = pairs[last.pair] ?? pairs[0];
  const [x, y] = [column * width, row * height];
  const scale = (width / 24) * size;
  return (
    `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    rect(0, 0, width, height, back) +
    `<g transform="translate(${width / 2} ${height / 2}) rotate(${degrees.toFixed(1)}) scale(${scale.toFixed(3)}) translate(-12 -12)">` +
    `${shape(tileShapes[names[last.shape] ?? '0'] ?? '', front)}</g></svg>`
  );
}

/** The picture of one frame. */
export function cityOfTilesFrame(frame: number): string {
  const seconds = frame / frameRate;
  return (
    tiles.map((events, index) => tileAt(events, index, seconds)).join('') +
    bandAt(frame, leadingInk(0, 6, seconds), ink)
  );
}

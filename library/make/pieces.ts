/**
 * The library's contents: which pieces there are, in what form each is printed, and who made them.
 */
import { cityOfTilesFrame } from './film/city-of-tiles-film.ts';
import { poppySeasonFrame } from './film/poppy-season-film.ts';
import { twoReelsFrame } from './film/two-reels-film.ts';
import type { Piece } from './music/piece.ts';
import { cityOfTiles } from './music/pieces/city-of-tiles.ts';
import { paperLanterns } from './music/pieces/paper-lanterns.ts';
import { poppySeason } from './music/pieces/poppy-season.ts';
import { rainOnTheTram } from './music/pieces/rain-on-the-tram.ts';
import { sundayKitchen } from './music/pieces/sunday-kitchen.ts';
import { twoReels } from './music/pieces/two-reels.ts';
import { walkingHome } from './music/pieces/walking-home.ts';

/**
 * How one piece is published; `frameAt` draws frame N of a film as SVG contents. `firstFile` is the file it was first
 * published as: rooms know the piece by it.
 */
export type Release =
  | { readonly format: 'm4a'; readonly piece: Piece; readonly firstFile?: string }
  | { readonly format: 'mp4'; readonly piece: Piece; readonly frameAt: (frame: number) => string };

/** The artist every file is tagged with. */
export const artist = 'Tunemate Library';

/** The album every file is tagged with. */
export const album = 'First Pressing';

/** In the order the library lists them; the first two audio tracks are the samples of a failed search. */
export const releases: readonly Release[] = [
  { format: 'm4a', piece: sundayKitchen, firstFile: 'media/sunday-kitchen.mp3' },
  { format: 'm4a', piece: paperLanterns },
  { format: 'm4a', piece: rainOnTheTram },
  { format: 'm4a', piece: walkingHome, firstFile: 'media/walking-home.mp3' },
  { format: 'mp4', piece: twoReels, frameAt: twoReelsFrame },
  { format: 'mp4', piece: poppySeason, frameAt: poppySeasonFrame },
  { format: 'mp4', piece: cityOfTiles, frameAt: cityOfTilesFrame },
];

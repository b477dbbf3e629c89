/** Two Reels: a dub-like downtempo for the film of the same name; E minor, 92 bpm. */
import { hat, kick, openHat, rim, shaker } from '../../sound/drum-voices.ts';
import { electricPiano, vibraphone } from '../../sound/keyed-voices.ts';
import { roundBass, warmPad } from '../../sound/string-voices.ts';
import { rootAbove, voicing } from '../chords.ts';
import { chordAt, line, overBars, pattern } from '../piece.ts';
import type { Piece } from '../piece.ts';

const barBeats = 4;
const bars = 25;
const changes = ['Em9', 'Cmaj9', 'Am9', 'Bm7'];
const chordOf = (bar: number): string => (bar === bars - 1 ? 'Em9' : (changes[bar % 4] ?? 'Em9'));

const tune =
  'B4 1, D5 .5, E5 1, G5 1.5 | F#5 1, E5 .5, D5 1, B4 1.5 | C5 1, E5 .5, G5 1, B5 1.5 | A5 1, F#5 .5, D5 2.5 |' +
  'E5 1, G5 .5, B5 1, D6 1.5 | B5 1, G5 .5, E5 1, D5 1.5 | E5 1, G5 .5, A5 1, G5 1.5 | F#5 4';

const bass = overBars(0, bars, barBeats, (bar, beat) => {
  const low = rootAbove(chordOf(bar), 31);
  if (bar === bars - 1) return [{ beat, beats: 4, midi: low, velocity: 0.9 }];
  return [
    { beat, beats: 0.9, midi: low, velocity: 0.95 },
    { beat: beat + 1.5, beats: 0.4, midi: low, velocity: 0.7 },
    { beat: beat + 2.25, beats: 0.4, midi: low + 7, velocity: 0.75 },
    { beat: beat + 2.75, beats: 0.6, midi: low + 10, velocity: 0.7 },
    { beat: beat + 3.5, beats: 0.4, midi: low + 12, velocity: 0.6 },
  ];
});

/** The piece. */
export const twoReels: Piece = {
  id: 'two-reels',
  title: 'Two Reels',
  mood: 'low and steady',
  seed: 53,
  beatsPerMinute: 92,
  beatsPerBar: barBeats,
  bars,
  swing: 0.54,
  swingBeats: 0.5,
  reverbSeconds: 2.3,
  echoBeats: 0.75,
  parts: [
    {
      name: 'kick',
      voice: kick,
      level: 0.6,
      notes: overBars(0, bars, barBeats, (bar, beat) =>
        pattern(bar === bars - 1 ? 'x...............' : 'x.........x.....', barBeats, beat),
      ),
    },
    {
      name: 'rim',
      voice: rim,
      level: 0.26,
      reverb: 0.35,
      echo: 0.25,
      notes: overBars(2, bars - 1, barBeats, (_, beat) => pattern('........x.......', barBeats, beat)),
    },
    {
      name: 'hat',
      voice: hat,
      level: 0.13,
      pan: 0.25,
      notes: overBars(4, bars - 1, barBeats, (_, beat) => pattern('o.x.o.x.o.xoo.x.', barBeats, beat)),
    },
    {
      name: 'open',
      voice: openHat,
      level: 0.07,
      pan: 0.25,
      notes: overBars(8, bars - 1, barBeats, (_, beat) => pattern('..............x.', barBeats, beat)),
    },
    {
      name: 'shaker',
      voice: shaker,
      level: 0.1,
      pan: -0.35,
      notes: overBars(8, bars - 1, barBeats, (_, beat) => pattern('xooxxooxxooxxoox', barBeats, beat, 0.7)),
    },
    { name: 'bass', voice: roundBass, level: 0.42, notes: bass },
    {
      name: 'keys',
      voice: electricPiano,
      level: 0.19,
      width: 0.3,
      reverb: 0.35,
      echo: 0.5,
      notes: overBars(0, bars - 1, barBeats, (bar, beat) =>
        [1, 3].flatMap((at) => chordAt(voicing(chordOf(bar), 57), beat + at, 0.3, at === 1 ? 0.6 : 0.5)),
      ),
    },
    {
      name: 'pad',
      voice: warmPad,
      level: 0.16,
      width: 0.6,
      reverb: 0.4,
      duck: 0.4,
      notes: overBars(4, bars, barBeats, (bar, beat) => chordAt(voicing(chordOf(bar), 52), beat, barBeats, 0.55)),
    },
    {
      name: 'lead',
      voice: vibraphone,
      level: 0.26,
      pan: -0.12,
      reverb: 0.4,
      echo: 0.35,
      notes: [
        ...line(tune, 8 * barBeats, 0.75),
        ...line(tune, 16 * barBeats, 0.8),
        ...line('E5 4', 24 * barBeats, 0.7),
      ],
    },
  ],
};

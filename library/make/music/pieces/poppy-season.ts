/** Poppy Season: a light waltz for the film of the same name; G major, 108 bpm. */
import { brush, kick, shaker } from '../../sound/drum-voices.ts';
import { kalimba, marimba } from '../../sound/keyed-voices.ts';
import { nylon, uprightBass, warmPad } from '../../sound/string-voices.ts';
import { climbing, rootAbove, voicing } from '../chords.ts';
import { chordAt, line, overBars, pattern } from '../piece.ts';
import type { Piece } from '../piece.ts';

const barBeats = 3;
const bars = 37;
const changes = ['Gadd9', 'Em7', 'Cmaj7', 'D', 'Bm7', 'Em7', 'Am7', 'D9sus'];
const chordOf = (bar: number): string => (bar < 4 || bar === bars - 1 ? 'Gadd9' : (changes[(bar - 4) % 8] ?? 'Gadd9'));

const tune =
  'D5 1, G5 1, B5 1 | A5 2, G5 1 | E5 1, G5 1, C6 1 | B5 .5, A5 .5, F#5 2 | F#5 1, A5 1, D6 1 | B5 2, G5 1 | E5 1, G5 1, A5 1 | A5 2, r 1';
const answer =
  'B5 1, D6 1, B5 1 | G5 2, E5 1 | G5 1, E5 1, G5 1 | A5 .5, F#5 .5, D5 2 | D5 1, F#5 1, A5 1 | G5 2, B5 1 | C6 1, B5 1, A5 1 | G5 2, r 1';

const accompaniment = overBars(0, bars - 1, barBeats, (bar, beat) => [
  { beat, beats: 2.6, midi: rootAbove(chordOf(bar), 45), velocity: 0.6 },
  ...chordAt(climbing(chordOf(bar), 57, 3), beat + 1, 0.8, 0.42),
  ...chordAt(climbing(chordOf(bar), 57, 3), beat + 2, 0.7, 0.36),
]);

const ripples = overBars(20, bars - 1, barBeats, (bar, beat) =>
  climbing(chordOf(bar), 67, 6).map((midi, index) => ({
    beat: beat + index / 2,
    beats: 0.5,
    midi,
    velocity: index === 0 ? 0.5 : 0.34,
  })),
);

/** The piece. */
export const poppySeason: Piece = {
  id: 'poppy-season',
  title: 'Poppy Season',
  mood: 'light and open',
  seed: 67,
  beatsPerMinute: 108,
  beatsPerBar: barBeats,
  bars,
  swing: 0.5,
  swingBeats: 1,
  reverbSeconds: 2,
  echoBeats: 1,
  parts: [
    {
      name: 'kick',
      voice: kick,
      level: 0.36,
      notes: overBars(4, bars, barBeats, (_, beat) => pattern('x..', barBeats, beat, 0.8)),
    },
    {
      name: 'brush',
      voice: brush,
      level: 0.15,
      pan: 0.2,
      reverb: 0.2,
      notes: overBars(4, bars - 1, barBeats, (_, beat) => pattern('..x.o.', barBeats, beat)),
    },
    {
      name: 'shaker',
      voice: shaker,
      level: 0.09,
      pan: -0.3,
      notes: overBars(12, bars - 1, barBeats, (_, beat) => pattern('xoxoxo', barBeats, beat, 0.8)),
    },
    {
      name: 'bass',
      voice: uprightBass,
      level: 0.38,
      notes: overBars(4, bars, barBeats, (bar, beat) => [
        { beat, beats: 2.4, midi: rootAbove(chordOf(bar), 33), velocity: 0.8 },
      ]),
    },
    {
      name: 'guitar',
      voice: nylon,
      level: 0.42,
      pan: -0.2,
      width: 0.15,
      reverb: 0.3,
      notes: [...accompaniment, ...chordAt(climbing('Gadd9', 55, 5), (bars - 1) * barBeats, 3, 0.5)],
    },
    {
      name: 'pad',
      voice: warmPad,
      level: 0.13,
      width: 0.6,
      reverb: 0.4,
      notes: overBars(12, bars, barBeats, (bar, beat) => chordAt(voicing(chordOf(bar), 55), beat, barBeats, 0.5)),
    },
    { name: 'ripples', voice: marimba, level: 0.2, pan: 0.35, reverb: 0.35, echo: 0.2, notes: ripples },
    {
      name: 'lead',
      voice: kalimba,
      level: 0.3,
      pan: 0.05,
      reverb: 0.4,
      echo: 0.2,
      notes: [
        ...[4, 20].flatMap((bar) => line(tune, bar * barBeats, 0.78)),
        ...[12, 28].flatMap((bar) => line(answer, bar * barBeats, 0.8)),
        ...line('G5 1, B5 1, D6 1', 36 * barBeats, 0.6),
      ],
    },
  ],
};

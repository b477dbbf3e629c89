/** Paper Lanterns: bright and dancing. Plucked arpeggios over a soft four-on-the-floor; D major, 110 bpm. */
import { clap, hat, kick, openHat, shaker } from '../../sound/drum-voices.ts';
import { kalimba } from '../../sound/keyed-voices.ts';
import { harpPluck, nylon, roundBass, warmPad } from '../../sound/string-voices.ts';
import { climbing, rootAbove, voicing } from '../chords.ts';
import { chordAt, line, overBars, pattern } from '../piece.ts';
import type { Piece } from '../piece.ts';

const barBeats = 4;
const bars = 48;
const changes = ['Gmaj7', 'Aadd9', 'F#m7', 'Bm7', 'Gmaj7', 'Aadd9', 'Dadd9', 'Dadd9'];
const chordOf = (bar: number): string => (bar === bars - 1 ? 'Dadd9' : (changes[bar % changes.length] ?? 'Dadd9'));

const tune =
  'D5 .75, F#5 .75, B5 1.5, A5 1 | E5 .75, A5 .75, C#6 1.5, B5 1 | A5 .75, F#5 .75, C#5 1.5, E5 1 | D5 2, r 1, F#5 1 |' +
  'D5 .75, F#5 .75, B5 1.5, D6 1 | C#6 .75, B5 .75, A5 1.5, E5 1 | F#5 3, E5 1 | D5 2.5, r 1.5';

/** Sixteen steps: a figure in threes against the four of the beat. */
const arpeggio = overBars(0, bars, barBeats, (bar, beat) => {
  const tones = climbing(chordOf(bar), 57, 7);
  return [0, 3, 5, 4, 3, 5, 6, 3, 5, 2, 4, 5, 3, 6, 5, 4].flatMap((tone, step) =>
    bar < 4 && step % 2 === 1
      ? []
      : [{ beat: beat + step / 4, beats: 0.45, midi: tones[tone] ?? 60, velocity: step % 3 === 0 ? 0.62 : 0.42 }],
  );
});

const bass = overBars(8, bars - 1, barBeats, (bar, beat) => {
  const low = rootAbove(chordOf(bar), 33);
  return [
    [0, 0.7, 0, 0.9],
    [0.75, 0.6, 0, 0.65],
    [1.5, 0.4, 12, 0.6],
    [2.5, 0.4, 0, 0.75],
    [3, 0.4, 7, 0.65],
    [3.5, 0.4, 12, 0.55],
  ].map(([at = 0, beats = 0.5, above = 0, velocity = 0.6]) => ({
    beat: beat + at,
    beats,
    midi: low + above,
    velocity,
  }));
});

const resting = (bar: number): boolean => bar >= 24 && bar < 28;
const beatFrom = (from: number, steps: string) =>
  overBars(from, bars - 2, barBeats, (bar, beat) => (resting(bar) ? [] : pattern(steps, barBeats, beat)));

/** The piece. */
export const paperLanterns: Piece = {
  id: 'paper-lanterns',
  title: 'Paper Lanterns',
  mood: 'bright and dancing',
  seed: 37,
  beatsPerMinute: 110,
  beatsPerBar: barBeats,
  bars,
  swing: 0.5,
  swingBeats: 1,
  reverbSeconds: 2.1,
  echoBeats: 0.75,
  parts: [
    { name: 'kick', voice: kick, level: 0.52, notes: beatFrom(8, 'x...x...x...x...') },
    { name: 'clap', voice: clap, level: 0.2, reverb: 0.3, notes: beatFrom(12, '....x.......x...') },
    { name: 'hat', voice: hat, level: 0.12, pan: 0.3, notes: beatFrom(8, 'o.x.o.x.o.x.o.xo') },
    { name: 'open', voice: openHat, level: 0.07, pan: 0.3, notes: beatFrom(16, '..x...x...x...x.') },
    {
      name: 'shaker',
      voice: shaker,
      level: 0.09,
      pan: -0.4,
      notes: overBars(4, bars - 1, barBeats, (_, beat) => pattern('oxoxoxoxoxoxoxox', barBeats, beat, 0.8)),
    },
    { name: 'bass', voice: roundBass, level: 0.36, duck: 0.3, notes: bass },
    { name: 'arp', voice: nylon, level: 0.34, width: 0.4, reverb: 0.3, echo: 0.25, notes: arpeggio },
    {
      name: 'pad',
      voice: warmPad,
      level: 0.15,
      width: 0.7,
      reverb: 0.4,
      duck: 0.55,
      notes: overBars(8, bars, barBeats, (bar, beat) => chordAt(voicing(chordOf(bar), 55), beat, barBeats, 0.65)),
    },
    {
      name: 'lead',
      voice: harpPluck,
      level: 0.4,
      pan: -0.1,
      reverb: 0.4,
      echo: 0.35,
      notes: [16, 32, 40].flatMap((bar) => line(tune, bar * barBeats, 0.8)),
    },
    {
      name: 'bells',
      voice: kalimba,
      level: 0.15,
      pan: 0.3,
      reverb: 0.5,
      echo: 0.4,
      notes: line(tune, 24 * barBeats, 0.6).concat(
        line(tune, 40 * barBeats, 0.5).map((note) => ({ ...note, midi: note.midi + 12 })),
      ),
    },
  ],
};

/** Sunday Kitchen: unhurried, warm. Electric piano over a brushed, swung beat; F major, 82 bpm. */
import { hat, kick, recordSurface, rim, snare } from '../../sound/drum-voices.ts';
import { electricPiano, vibraphone } from '../../sound/keyed-voices.ts';
import { nylon, roundBass } from '../../sound/string-voices.ts';
import { climbing, rootAbove, voicing } from '../chords.ts';
import { chordAt, line, overBars, pattern } from '../piece.ts';
import type { Piece, ScoreNote } from '../piece.ts';

const barBeats = 4;
const bars = 36;

/** Two chords to a bar where the second name differs. */
const changes = [
  ['Fmaj9', 'Fmaj9'],
  ['Em7', 'A7'],
  ['Dm9', 'Dm9'],
  ['Cm9', 'F9'],
  ['Bbmaj9', 'Bbmaj9'],
  ['Am7', 'D7'],
  ['Gm9', 'Gm9'],
  ['C9sus', 'C9'],
] as const;
const chordsOf = (bar: number): readonly [string, string] => changes[(bar + 4) % 8] ?? changes[0];

const tune =
  'r 1, C5 .5, A4 .5, C5 1, E5 1 | D5 1.5, B4 .5, C#5 1, A4 1 | r .5, F5 .5, E5 .5, D5 .5, A4 2 | Bb4 1, C5 1, A4 1.5, r .5 |' +
  'r 1, D5 .5, F5 .5, A5 1.5, G5 .5 | E5 1, C5 1, F#5 1, D5 1 | G5 1.5, F5 .5, D5 1, Bb4 1 | C5 2.5, r 1.5';

const comping = overBars(0, bars, barBeats, (bar, beat) => {
  const [first, second] = chordsOf(bar);
  const notes = chordAt(voicing(first, 54), beat, 1.4, 0.62);
  if (first === second) {
    notes.push(
      ...chordAt(voicing(first, 54), beat + 1.75, 0.5, 0.4),
      ...chordAt(voicing(first, 54), beat + 2.5, 1.2, 0.5),
    );
  } else {
    notes.push(...chordAt(voicing(second, 54), beat + 2, 1.5, 0.58));
  }
  return notes;
});

const bass = overBars(4, bars, barBeats, (bar, beat) => {
  const [first, second] = chordsOf(bar);
  const low = rootAbove(first, 33);
  const next = rootAbove(chordsOf(bar + 1)[0], 33);
  const notes: ScoreNote[] = [
    { beat, beats: 1.3, midi: low, velocity: 0.9 },
    { beat: beat + 1.75, beats: 0.25, midi: low + 12, velocity: 0.5 },
    { beat: beat + 2, beats: 1.2, midi: first === second ? low + 7 : rootAbove(second, 33), velocity: 0.8 },
    { beat: beat + 3.5, beats: 0.5, midi: next + (bar % 2 === 0 ? 2 : -1), velocity: 0.6 },
  ];
  return notes;
});

const guitar = overBars(20, 36, barBeats, (bar, beat) => {
  const tones = climbing(chordsOf(bar)[0], 60, 5);
  return [0, 2, 1, 3, 2, 4].map((tone, index) => ({
    beat: beat + 0.5 + index * 0.5,
    beats: 0.9,
    midi: tones[tone] ?? 60,
    velocity: 0.42,
  }));
});

const withBreak = (steps: string, last: string) => (bar: number, beat: number) =>
  pattern(bar % 8 === 3 ? last : steps, barBeats, beat);

/** The piece. */
export const sundayKitchen: Piece = {
  id: 'sunday-kitchen',
  title: 'Sunday Kitchen',
  mood: 'warm and unhurried',
  seed: 11,
  beatsPerMinute: 82,
  beatsPerBar: barBeats,
  bars,
  swing: 0.57,
  swingBeats: 0.5,
  reverbSeconds: 1.7,
  echoBeats: 0.75,
  parts: [
    {
      name: 'kick',
      voice: kick,
      level: 0.62,
      notes: overBars(4, 35, barBeats, withBreak('x.....ox..o.....', 'x.....ox..x...o.')),
    },
    {
      name: 'snare',
      voice: snare,
      level: 0.2,
      reverb: 0.2,
      notes: overBars(6, 35, barBeats, withBreak('....x.......x...', '....x.......x.oo')),
    },
    {
      name: 'rim',
      voice: rim,
      level: 0.22,
      reverb: 0.25,
      notes: overBars(2, 6, barBeats, (_, beat) => pattern('....x.......x...', barBeats, beat)),
    },
    {
      name: 'hat',
      voice: hat,
      level: 0.15,
      pan: 0.25,
      notes: overBars(4, 36, barBeats, withBreak('x.o.x.o.x.oox.o.', 'x.o.x.o.x.o.x...')),
    },
    { name: 'bass', voice: roundBass, level: 0.4, notes: bass },
    { name: 'keys', voice: electricPiano, level: 0.17, width: 0.28, reverb: 0.3, duck: 0.22, notes: comping },
    { name: 'guitar', voice: nylon, level: 0.3, pan: -0.45, reverb: 0.3, echo: 0.2, notes: guitar },
    {
      name: 'lead',
      voice: vibraphone,
      level: 0.27,
      pan: 0.15,
      reverb: 0.35,
      echo: 0.22,
      notes: [...line(tune, 12 * barBeats, 0.75), ...line(tune, 28 * barBeats, 0.8)],
    },
    {
      name: 'surface',
      voice: recordSurface,
      level: 0.1,
      notes: [{ beat: 0, beats: bars * barBeats, midi: 60, velocity: 1 }],
    },
  ],
};

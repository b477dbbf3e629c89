/** Walking Home: a late-night piano trio with vibraphone; swung, B flat major, 112 bpm. */
import { brush, hat, kick, ride } from '../../sound/drum-voices.ts';
import { feltPiano, vibraphone } from '../../sound/keyed-voices.ts';
import { uprightBass } from '../../sound/string-voices.ts';
import { climbing, rootAbove, voicing } from '../chords.ts';
import { chordAt, line, overBars, pattern } from '../piece.ts';
import type { Piece } from '../piece.ts';

const barBeats = 4;
const bars = 50;
const form = [
  'Cm9',
  'F13',
  'Bbmaj9',
  'Gm7',
  'Cm9',
  'F13',
  'Bbmaj9',
  'Bb9',
  'Ebmaj9',
  'Ab13',
  'Dm7',
  'G7b9',
  'Cm9',
  'F13',
  'Bbmaj9',
  'G7b9',
];
const chordOf = (bar: number): string => (bar >= 48 ? 'Bbmaj9' : (form[bar % form.length] ?? 'Bbmaj9'));

const tune =
  'r .5, G5 .5, F5 .5, Eb5 .5, D5 1, Bb4 1 | A4 1.5, C5 .5, D5 2 | F5 1, D5 .5, Bb4 .5, C5 1, D5 1 | Bb4 3, r 1 |' +
  'r .5, G5 .5, Bb5 .5, G5 .5, F5 1, Eb5 1 | D5 1.5, C5 .5, A4 2 | C5 1, D5 1, F5 1, A5 1 | Ab5 2, F5 1, r 1 |' +
  'G5 1.5, F5 .5, D5 1, Bb4 1 | C5 1, Eb5 1, F5 2 | A5 1, F5 .5, D5 .5, C5 1, A4 1 | B4 1.5, D5 .5, Ab5 1, F5 1 |' +
  'Eb5 2, G5 1, Bb5 1 | A5 1, G5 .5, F5 .5, D5 1, C5 1 | Bb4 2, D5 1, F5 1 | F5 1, D5 1, B4 1, r 1';

/** Four to the bar: root, two chord tones, and a step into the next root. */
const walking = overBars(0, 49, barBeats, (bar, beat) => {
  const low = rootAbove(chordOf(bar), 34);
  const next = rootAbove(chordOf(bar + 1), 34);
  const tones = climbing(chordOf(bar), low + 1, 4);
  const approach = next + (bar % 3 === 0 ? 1 : -1);
  const steps = bar >= 48 ? [low] : [low, tones[bar % 2] ?? low, tones[bar % 2 === 0 ? 2 : 1] ?? low, approach];
  return steps.map((midi, step) => ({
    beat: beat + step,
    beats: bar >= 48 ? 4 : 0.92,
    midi,
    velocity: step === 0 ? 0.85 : 0.72,
  }));
});

/** Three comping figures that take turns; beats and lengths. */
const figures: readonly (readonly (readonly [number, number])[])[] = [
  [
    [0.5, 0.4],
    [2, 1.2],
  ],
  [
    [0, 0.8],
    [1.5, 0.4],
    [3.5, 0.5],
  ],
  [
    [1, 0.4],
    [2.5, 0.9],
  ],
];
const comping = overBars(0, 48, barBeats, (bar, beat) =>
  (figures[(bar * 2) % 3] ?? []).flatMap(([at, beats]) =>
    chordAt(voicing(chordOf(bar), 55), beat + at, beats, bar < 16 ? 0.48 : 0.36),
  ),
);

const answers = overBars(0, 16, barBeats, (bar, beat) =>
  bar % 4 === 3
    ? climbing(chordOf(bar), 65, 4).map((midi, index) => ({
        beat: beat + 1 + index * 0.5,
        beats: 0.6,
        midi,
        velocity: 0.5,
      }))
    : [],
);

/** The piece. */
export const walkingHome: Piece = {
  id: 'walking-home',
  title: 'Walking Home',
  mood: 'late and swinging',
  seed: 41,
  beatsPerMinute: 112,
  beatsPerBar: barBeats,
  bars,
  swing: 0.645,
  swingBeats: 1,
  reverbSeconds: 1.5,
  echoBeats: 1,
  parts: [
    {
      name: 'kick',
      voice: kick,
      level: 0.2,
      notes: overBars(4, 48, barBeats, (bar, beat) => pattern(bar % 4 === 3 ? 'o.....o.' : 'o...o...', barBeats, beat)),
    },
    {
      name: 'ride',
      voice: ride,
      level: 0.12,
      pan: 0.3,
      reverb: 0.15,
      notes: overBars(8, 49, barBeats, (bar, beat) => pattern(bar === 48 ? 'x.......' : 'x.xox.xo', barBeats, beat)),
    },
    {
      name: 'brush',
      voice: brush,
      level: 0.2,
      pan: -0.15,
      reverb: 0.2,
      notes: overBars(0, 48, barBeats, (_, beat) => pattern('o.x.o.x.', barBeats, beat)),
    },
    {
      name: 'foot',
      voice: hat,
      level: 0.1,
      pan: -0.3,
      notes: overBars(0, 48, barBeats, (_, beat) => pattern('..x...x.', barBeats, beat)),
    },
    { name: 'bass', voice: uprightBass, level: 0.46, reverb: 0.08, notes: walking },
    { name: 'comping', voice: feltPiano, level: 0.22, pan: -0.2, width: 0.15, reverb: 0.3, notes: comping },
    { name: 'answers', voice: feltPiano, level: 0.28, pan: -0.1, reverb: 0.35, notes: answers },
    {
      name: 'lead',
      voice: feltPiano,
      level: 0.42,
      pan: 0.05,
      reverb: 0.35,
      notes: [...line(tune, 16 * barBeats, 0.78), ...chordAt(climbing('Bbmaj9', 58, 5), 48 * barBeats, 7, 0.5)],
    },
    {
      name: 'vibes',
      voice: vibraphone,
      level: 0.28,
      pan: 0.25,
      reverb: 0.4,
      echo: 0.1,
      notes: [...line(tune, 32 * barBeats, 0.75), { beat: 49 * barBeats, beats: 3, midi: 84, velocity: 0.5 }],
    },
  ],
};

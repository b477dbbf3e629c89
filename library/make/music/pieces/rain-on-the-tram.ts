/** Rain on the Tram: slow and spacious. Pads, a felt piano and rain on glass; D minor, 68 bpm. */
import { kick, rain, shaker } from '../../sound/drum-voices.ts';
import { feltPiano, kalimba } from '../../sound/keyed-voices.ts';
import { roundBass, warmPad } from '../../sound/string-voices.ts';
import { climbing, rootAbove, voicing } from '../chords.ts';
import { chordAt, line, overBars, pattern } from '../piece.ts';
import type { Piece } from '../piece.ts';

const barBeats = 4;
const bars = 28;
const changes = ['Dm9', 'Bbmaj9', 'Fmaj9', 'C69', 'Dm9', 'Bbmaj9', 'Am7', 'C69'];
const chordOf = (bar: number): string => (bar >= bars - 1 ? 'Dm9' : (changes[bar % changes.length] ?? 'Dm9'));

const tune =
  'A5 2, G5 1, F5 1 | D5 3, r 1 | E5 2, C5 1, A4 1 | D5 3, r 1 | F5 2, A5 2 | G5 1, F5 1, D5 2 | C5 2, E5 1, G5 1 | E5 3.5, r .5';

/** Up and down through the chord in eighths, resting now and then. */
const drops = overBars(4, bars - 1, barBeats, (bar, beat) => {
  const tones = climbing(chordOf(bar), 69, 6);
  const order = bar % 2 === 0 ? [0, 2, 4, 1, 3, 5, 2] : [5, 3, 1, 4, 2, 0];
  return order.map((tone, index) => ({
    beat: beat + index * 0.5 + (bar % 2 === 0 ? 0 : 0.5),
    beats: 1,
    midi: tones[tone] ?? 69,
    velocity: 0.35 + 0.12 * ((index + bar) % 3),
  }));
});

/** The piece. */
export const rainOnTheTram: Piece = {
  id: 'rain-on-the-tram',
  title: 'Rain on the Tram',
  mood: 'slow and spacious',
  seed: 23,
  beatsPerMinute: 68,
  beatsPerBar: barBeats,
  bars,
  swing: 0.5,
  swingBeats: 1,
  reverbSeconds: 3.6,
  echoBeats: 0.75,
  parts: [
    {
      name: 'kick',
      voice: kick,
      level: 0.34,
      notes: overBars(8, 26, barBeats, (_, beat) => pattern('x.....o.', barBeats, beat, 0.8)),
    },
    {
      name: 'shaker',
      voice: shaker,
      level: 0.11,
      pan: 0.35,
      reverb: 0.2,
      notes: overBars(12, 26, barBeats, (_, beat) => pattern('..o...x...o...xo', barBeats, beat)),
    },
    {
      name: 'bass',
      voice: roundBass,
      level: 0.32,
      notes: overBars(4, bars, barBeats, (bar, beat) => [
        { beat, beats: 2.9, midi: rootAbove(chordOf(bar), 34), velocity: 0.8 },
        { beat: beat + 3, beats: 0.9, midi: rootAbove(chordOf(bar), 34) + 7, velocity: 0.5 },
      ]),
    },
    {
      name: 'pad',
      voice: warmPad,
      level: 0.26,
      width: 0.6,
      reverb: 0.45,
      duck: 0.15,
      notes: overBars(0, bars, barBeats, (bar, beat) => chordAt(voicing(chordOf(bar), 53), beat, barBeats, 0.6)),
    },
    { name: 'drops', voice: kalimba, level: 0.2, pan: -0.2, width: 0.35, reverb: 0.45, echo: 0.45, notes: drops },
    {
      name: 'lead',
      voice: feltPiano,
      level: 0.3,
      pan: 0.08,
      reverb: 0.5,
      echo: 0.15,
      notes: [
        ...overBars(2, bars, barBeats, (bar, beat) =>
          bar < 8 || bar >= 16 ? chordAt(climbing(chordOf(bar), 57, 3), beat, 3.6, 0.32) : [],
        ),
        ...line(tune, 8 * barBeats, 0.62),
        ...line(tune, 16 * barBeats, 0.68),
        ...line('A5 2, F5 1, E5 1 | D5 4 | r 2, D6 2', 24 * barBeats, 0.5),
      ],
    },
    {
      name: 'rain',
      voice: rain,
      level: 0.1,
      width: 0.8,
      notes: [0, 0].map(() => ({ beat: 0, beats: bars * barBeats, midi: 60, velocity: 1 })),
    },
  ],
};

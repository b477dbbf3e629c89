/** City of Tiles: two marimbas sharing one pulse, one of them slowly shifting; A minor, 120 bpm. */
import { hat, kick, rim, shaker } from '../../sound/drum-voices.ts';
import { kalimba, marimba } from '../../sound/keyed-voices.ts';
import { roundBass, warmPad } from '../../sound/string-voices.ts';
import { climbing, rootAbove, voicing } from '../chords.ts';
import { chordAt, line, overBars, pattern } from '../piece.ts';
import type { Piece } from '../piece.ts';

const barBeats = 4;
const bars = 33;
const changes = ['Am9', 'Am9', 'Fmaj9', 'Fmaj9', 'Cadd9', 'Cadd9', 'G6', 'G6'];
const chordOf = (bar: number): string => (bar === bars - 1 ? 'Am9' : (changes[bar % 8] ?? 'Am9'));

/** Twelve of sixteen steps; `null` rests. The right hand starts one step later every four bars. */
const figure = [0, 2, 4, null, 3, 1, null, 4, 2, 5, null, 3, 4, null, 1, 2];

const hand = (from: number, lowest: number, shifting: boolean, velocity: number) =>
  overBars(from, bars - 1, barBeats, (bar, beat) => {
    const tones = climbing(chordOf(bar), lowest, 6);
    const shift = shifting ? Math.floor(bar / 4) : 0;
    return figure.flatMap((_, step) => {
      const tone = figure[(step + shift) % figure.length];
      if (tone === null || tone === undefined) return [];
      return [
        {
          beat: beat + step / 4,
          beats: 0.25,
          midi: tones[tone] ?? lowest,
          velocity: step % 4 === 0 ? velocity : velocity * 0.72,
        },
      ];
    });
  });

/** The piece. */
export const cityOfTiles: Piece = {
  id: 'city-of-tiles',
  title: 'City of Tiles',
  mood: 'busy and bright',
  seed: 79,
  beatsPerMinute: 120,
  beatsPerBar: barBeats,
  bars,
  swing: 0.5,
  swingBeats: 1,
  reverbSeconds: 1.4,
  echoBeats: 0.75,
  parts: [
    {
      name: 'kick',
      voice: kick,
      level: 0.5,
      notes: overBars(8, bars, barBeats, (bar, beat) => pattern(bar === bars - 1 ? 'x...' : 'x.x.', barBeats, beat)),
    },
    {
      name: 'rim',
      voice: rim,
      level: 0.2,
      reverb: 0.25,
      notes: overBars(8, bars - 1, barBeats, (_, beat) => pattern('....x..o....x...', barBeats, beat)),
    },
    {
      name: 'hat',
      voice: hat,
      level: 0.1,
      pan: 0.3,
      notes: overBars(12, bars - 1, barBeats, (_, beat) => pattern('..x...x...x...xo', barBeats, beat)),
    },
    {
      name: 'shaker',
      voice: shaker,
      level: 0.08,
      pan: -0.35,
      notes: overBars(4, bars - 1, barBeats, (_, beat) => pattern('xoxoxoxoxoxoxoxo', barBeats, beat, 0.8)),
    },
    {
      name: 'bass',
      voice: roundBass,
      level: 0.36,
      notes: overBars(8, bars, barBeats, (bar, beat) => {
        const low = rootAbove(chordOf(bar), 33);
        return bar === bars - 1
          ? [{ beat, beats: 3, midi: low, velocity: 0.8 }]
          : [0, 1.5, 2.5].map((at) => ({ beat: beat + at, beats: 0.7, midi: low, velocity: at === 0 ? 0.85 : 0.6 }));
      }),
    },
    { name: 'left', voice: marimba, level: 0.28, pan: -0.45, reverb: 0.25, notes: hand(0, 57, false, 0.7) },
    { name: 'right', voice: marimba, level: 0.26, pan: 0.45, reverb: 0.25, notes: hand(4, 69, true, 0.62) },
    {
      name: 'pad',
      voice: warmPad,
      level: 0.14,
      width: 0.6,
      reverb: 0.4,
      duck: 0.35,
      notes: overBars(8, bars, barBeats, (bar, beat) => chordAt(voicing(chordOf(bar), 53), beat, barBeats, 0.55)),
    },
    {
      name: 'lead',
      voice: kalimba,
      level: 0.22,
      reverb: 0.45,
      echo: 0.35,
      notes: [16, 24]
        .flatMap((bar) =>
          line(
            'E5 2, A5 2 | G5 3, E5 1 | C5 2, A5 2 | G5 3, E5 1 | D5 2, G5 2 | E5 4 | D5 2, B4 2 | D5 4',
            bar * barBeats,
            0.7,
          ),
        )
        .concat(line('A5 4', 32 * barBeats, 0.6)),
    },
  ],
};

/**
 * Chord names to MIDI notes. Voicings keep every chord inside one span of keys, so that neighbouring
 * chords lead smoothly without further thought.
 */

const letters: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** Semitones above the root for each chord quality used in the library. */
const qualities: Record<string, readonly number[]> = {
  '': [0, 4, 7],
  add9: [0, 4, 7, 14],
  '6': [0, 4, 7, 9],
  '69': [0, 4, 7, 9, 14],
  '7': [0, 4, 7, 10],
  '7b9': [0, 4, 7, 10, 13],
  '9': [0, 4, 7, 10, 14],
  '9sus': [0, 5, 7, 10, 14],
  '13': [0, 4, 10, 14, 21],
  m: [0, 3, 7],
  m7: [0, 3, 7, 10],
  m9: [0, 3, 7, 10, 14],
  maj7: [0, 4, 7, 11],
  maj9: [0, 4, 7, 11, 14],
};

interface Chord {
  readonly root: number;
  readonly intervals: readonly number[];
}

function parseChord(name: string): Chord {
  const match = /^([A-G])([b#]?)(.*)$/.exec(name);
  const intervals = qualities[match?.[3] ?? '?'];
  if (match === null || intervals === undefined) throw new Error(`unknown chord ${name}`);
  const accidental = match[2] === 'b' ? 11 : match[2] === '#' ? 1 : 0;
  return { root: ((letters[match[1] ?? ''] ?? 0) + accidental) % 12, intervals };
}

/** The lowest note of that pitch class at or above `lowest`. */
function atOrAbove(pitchClass: number, lowest: number): number {
  return lowest + ((((pitchClass - lowest) % 12) + 12) % 12);
}

/** The chord without its root, folded into the octave above `lowest`, ascending. */
export function voicing(name: string, lowest: number): number[] {
  const { root, intervals } = parseChord(name);
  const upper = intervals.length > 3 ? intervals.slice(1) : intervals;
  return upper.map((interval) => atOrAbove((root + interval) % 12, lowest)).sort((a, b) => a - b);
}

/** The chord's root at or above `lowest`. */
export function rootAbove(name: string, lowest: number): number {
  return atOrAbove(parseChord(name).root, lowest);
}

/** `count` chord tones climbing from `lowest`, through as many octaves as it takes. */
export function climbing(name: string, lowest: number, count: number): number[] {
  const { root, intervals } = parseChord(name);
  const classes = new Set(intervals.map((interval) => (root + interval) % 12));
  const tones: number[] = [];
  for (let midi = lowest; tones.length < count; midi += 1) if (classes.has(midi % 12)) tones.push(midi);
  return tones;
}

/** A note name such as `F#5` to MIDI. */
export function midiOf(name: string): number {
  const match = /^([A-G])([b#]?)(\d)$/.exec(name);
  if (match === null) throw new Error(`unknown note ${name}`);
  const accidental = match[2] === 'b' ? -1 : match[2] === '#' ? 1 : 0;
  return (Number(match[3]) + 1) * 12 + (letters[match[1] ?? ''] ?? 0) + accidental;
}

/** What two people heard together, as the server tells it, with something in every part of the pages about it. */
import type { BlendedTrack, MusicEvening, OurMusic, OurYear } from '@tunemate/protocol';
import { aTrack } from './rooms.ts';

const metAt = new Date(2025, 10, 29, 21, 14).getTime();
const song = (n: number) => aTrack(String(n), { title: `Song ${String(n)}` });

const anEvening = {
  from: metAt,
  until: metAt + 7_800_000,
  heardMs: 7_800_000,
  room: { kind: 'audio', code: '4C0A9E', name: 'Kitchen Radio' },
} as MusicEvening;

export const ourMusic: OurMusic = {
  ...{ heardMs: 77_040_000, evenings: 41, tracks: 312, keptSince: metAt, forgottenBy: null },
  most: [1, 2].map((n) => ({ ...song(n), times: 20 - n })),
  first: { ...song(1), at: metAt },
  met: anEvening,
  weeks: [{ from: Date.now() - 1000, until: Date.now(), heardMs: 600_000 }],
  ago: { evenings: [anEvening], tracks: [song(3)] },
};

export const ourYear: OurYear = {
  ...{ heardMs: 77_040_000, evenings: 41, tracks: 312, most: [{ ...song(1), times: 18 }] },
  ...{ longest: anEvening, longestTracks: [song(1), song(2)], found: { mine: 23, theirs: 31 } },
};

/** Songs 0 to 2: heard by both, by Mara, and by the other. */
export const blendedTracks: BlendedTrack[] = (['both', 'mine', 'theirs'] as const).map((of, n) => ({
  ...{ ...song(n), of, at: Date.now() },
}));

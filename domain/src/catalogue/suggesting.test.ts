import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  artistOnceIn,
  fairWalk,
  type KnownTrack,
  type PlayedBefore,
  plannedAhead,
  restMs,
  suggestNext,
  type SuggestingContext,
} from './suggesting.ts';

const aTrack = (id: string, about: Partial<KnownTrack> = {}): KnownTrack => ({
  ...{ id, title: `Title ${id}`, artists: [`Artist ${id}`], genres: [], year: null, lufs: null, tempo: null },
  ...about,
});
const nowMs = 1_800_000_000_000;
const playedAgo = (track: KnownTrack, minutes: number, about: Partial<PlayedBefore> = {}): PlayedBefore => ({
  ...{ track, atMs: nowMs - minutes * 60_000, isSkipped: false, isByHouse: false },
  ...about,
});
const nothing: SuggestingContext = {
  ...{ after: new Map(), together: new Map(), votes: new Map(), similar: [], favourites: new Set() },
  ...{ played: [], nowMs, seed: 1, step: 0 },
};
const umbrella = aTrack('umbrella', { title: 'Umbrella', genres: ['Folk'], year: 1997, lufs: -18, tempo: 90 });
const afterUmbrella = (about: Partial<SuggestingContext> = {}): SuggestingContext => ({
  ...nothing,
  played: [playedAgo(umbrella, 2)],
  ...about,
});
const others = Array.from({ length: 6 }, (_, at) => aTrack(`other ${String(at)}`));
const firstOf = (track: KnownTrack, context: SuggestingContext) => {
  const [first] = suggestNext([...others, track], context, 6);
  return first;
};
const together = (times: number, skipped = 0, daysAgo = 3) => ({
  times,
  skipped,
  lastMs: nowMs - daysAgo * 24 * 60 * 60_000,
});

test('the first of the list says the largest part of its score', () => {
  const next = aTrack('next');
  const cases: readonly (readonly [KnownTrack, Partial<SuggestingContext>, object])[] = [
    [next, { votes: new Map([['next', { name: 'Ada', count: 1 }]]) }, { because: 'voted', name: 'Ada' }],
    [next, { after: new Map([['umbrella', new Map([['next', 3]])]]) }, { because: 'after', title: 'Umbrella' }],
    [next, { similar: ['next'] }, { because: 'similar' }],
    [next, { favourites: new Set(['next']) }, { because: 'favourite' }],
    [next, { together: new Map([['next', together(4)]]) }, { because: 'together' }],
    [next, { together: new Map([['next', together(0, 0, 40)]]) }, { because: 'rested' }],
    [aTrack('genre', { genres: ['Folk'] }), {}, { because: 'genre' }],
    [aTrack('years', { year: 1998 }), {}, { because: 'years' }],
    [aTrack('tempo', { tempo: 91 }), {}, { because: 'tempo' }],
    [aTrack('calm', { lufs: -20 }), {}, { because: 'calm' }],
  ];
  const said = cases.map(([track, about]) => firstOf(track, afterUmbrella(about)));
  expect(said).toEqual(cases.map(([{ id }, , because]) => ({ id, because })));
  expect(suggestNext(others, nothing, 1)[0]?.because).toEqual({ because: 'library' });
});

test('a vote of a person who is here counts more than all the rest together', () => {
  const likely = aTrack('likely', { genres: ['Folk'], year: 1997, tempo: 90 });
  const context = afterUmbrella({
    after: new Map([['umbrella', new Map([['likely', 20]])]]),
    together: new Map([['likely', together(1)]]),
    votes: new Map([['wanted', { name: 'Ada', count: 2 }]]),
  });
  expect(suggestNext([likely, aTrack('wanted')], context, 2)[0]?.id).toBe('wanted');
});

test('what followed a thousand times counts less than one vote of a person who is here', () => {
  const context = afterUmbrella({
    after: new Map([['umbrella', new Map([['next', 1000]])]]),
    votes: new Map([['wanted', { name: 'Ada', count: 1 }]]),
  });
  expect(suggestNext([aTrack('next'), aTrack('wanted')], context, 2).map(({ id }) => id)).toEqual(['wanted', 'next']);
});

test('the same artist comes again in the list for a person to choose, and plays by itself after seven others', () => {
  const again = aTrack('again', { artists: umbrella.artists, year: 1998 });
  const found = suggestNext([again, ...others], afterUmbrella(), 6);
  expect(found.findIndex(({ id }) => id === 'again')).toBe(plannedAhead);
  expect(found[plannedAhead]?.because).toEqual({ because: 'artist', year: 1998 });
  const seven = Array.from({ length: 7 }, (_, at) => playedAgo(aTrack(`then ${String(at)}`), 20, { isByHouse: true }));
  const later = afterUmbrella({ played: [playedAgo(umbrella, 30), ...seven] });
  expect(suggestNext([again, ...others], later, 6)[0]?.id).toBe('again');
});

test('nothing of the last two hours, and once all is that recent one that was heard longest ago', () => {
  const played = [...others.map((track, at) => playedAgo(track, 60 - at)), playedAgo(umbrella, 3)];
  const fresh = aTrack('fresh');
  expect(suggestNext([...others, fresh], { ...nothing, played }, 1)[0]?.id).toBe('fresh');
  const firsts = Array.from({ length: 50 }, (_, seed) => suggestNext(others, { ...nothing, played, seed }, 1)[0]?.id);
  expect(new Set(firsts)).toEqual(new Set(['other 0', 'other 1', 'other 2']));
  const old = [playedAgo(fresh, restMs / 60_000), ...played];
  expect(suggestNext([...others, fresh], { ...nothing, played: old }, 1)[0]?.id).toBe('fresh');
});

test('no jump of more than a quarter in tempo or 6 dB, unless nothing else is there', () => {
  const fast = aTrack('fast', { tempo: 113, genres: ['Folk'] });
  const loud = aTrack('loud', { lufs: -11.9, genres: ['Folk'] });
  const near = aTrack('near', { tempo: 112, lufs: -12 });
  const [first, ...rest] = suggestNext([fast, loud, near], afterUmbrella(), 3);
  expect([first?.id, rest.length]).toEqual(['near', 2]);
  expect(suggestNext([fast], afterUmbrella(), 1)[0]?.id).toBe('fast');
});

test('one choice in ten is a track that the people here have not heard together', () => {
  const known = others.map(({ id }) => [id, together(4)] as const);
  const context = afterUmbrella({ together: new Map(known), favourites: new Set(others.map(({ id }) => id)) });
  const kinds = Array.from({ length: 20 }, (_, step) => {
    const [first] = suggestNext([...others, aTrack('new')], { ...context, step }, 1);
    return first?.because.because;
  });
  expect(kinds.flatMap((because, step) => (because === 'surprise' ? [step] : []))).toEqual([9, 19]);
});

test('a track that was left early takes its artist and its genre down at once', () => {
  const alike = aTrack('alike', { artists: ['Loud'], genres: ['Noise', 'Folk'], tempo: 90 });
  const plain = aTrack('plain', { genres: ['Folk', 'Quiet'] });
  const before = afterUmbrella({ played: [playedAgo(umbrella, 9)] });
  expect(suggestNext([alike, plain], before, 1)[0]?.id).toBe('alike');
  const left = aTrack('left', { artists: ['Loud'], genres: ['Noise'] });
  const seven = Array.from({ length: 7 }, (_, at) => playedAgo(aTrack(`then ${String(at)}`), 5, { isByHouse: true }));
  const played = [playedAgo(umbrella, 9), playedAgo(left, 8, { isSkipped: true, isByHouse: true }), ...seven];
  expect(suggestNext([alike, plain], { ...before, played }, 1)[0]?.id).toBe('plain');
});

test('what the list says comes next is what plays next, one after another', () => {
  const someTracks = fc.array(
    fc.record({
      artist: fc.integer({ min: 0, max: 6 }),
      genre: fc.integer({ min: 0, max: 3 }),
      year: fc.option(fc.integer({ min: 1960, max: 2020 })),
      tempo: fc.option(fc.integer({ min: 60, max: 180 })),
    }),
    { minLength: 2, maxLength: 30 },
  );
  fc.assert(
    fc.property(someTracks, fc.nat(), fc.integer({ min: 0, max: 20 }), (made, seed, step) => {
      const tracks = made.map(({ artist, genre, ...about }, at) =>
        aTrack(String(at), { artists: [String(artist)], genres: [String(genre)], ...about }),
      );
      const [current, ...library] = tracks as [KnownTrack, ...KnownTrack[]];
      const context = { ...nothing, seed, step, played: [playedAgo(current, 4)] };
      const shown = suggestNext(library, context, plannedAhead).map(({ id }) => id);
      let { played } = context;
      for (const [at, id] of shown.entries()) {
        const [next] = suggestNext(library, { ...context, step: step + at, played }, 1);
        expect(next?.id).toBe(id);
        const track = library.find((each) => each.id === id) as KnownTrack;
        played = [...played, { track, atMs: nowMs, isSkipped: false, isByHouse: true }];
      }
    }),
  );
});

test('a night of any library never stops, and repeats no artist in eight while there are eight', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 1, max: 20 }), fc.nat(), (size, artists, seed) => {
      const library = Array.from({ length: size }, (_, at) =>
        aTrack(String(at), { artists: [String(at % artists)], tempo: 60 + ((at * 37) % 120) }),
      );
      let played: PlayedBefore[] = [];
      for (let step = 0; step < 40; step += 1) {
        const atMs = nowMs + step * 240_000;
        const [next] = suggestNext(library, { ...nothing, seed, step, played, nowMs: atMs }, 1);
        const track = library.find(({ id }) => id === next?.id);
        expect(track).toBeDefined();
        played = [...played, { track: track as KnownTrack, atMs, isSkipped: false, isByHouse: true }];
      }
      // Tracks that rest leave fewer artists than there are.
      const isLarge = size >= 60 && artists >= 16;
      for (let at = artistOnceIn; isLarge && at <= played.length; at += 1) {
        const names = played.slice(at - artistOnceIn, at).flatMap(({ track }) => track.artists);
        expect(new Set(names).size).toBe(artistOnceIn);
      }
    }),
  );
});

test('no hour of a night is played again in the same order, and what was not heard yet comes first', () => {
  // Two hours of music have one order only in which nothing comes again within two hours.
  const small = fc.integer({ min: 13, max: 22 }).map((size) => ({ size, artists: size }));
  const large = fc.record({ size: fc.integer({ min: 42, max: 120 }), artists: fc.integer({ min: 9, max: 30 }) });
  fc.assert(
    fc.property(fc.oneof(small, large), fc.nat(), ({ size, artists }, seed) => {
      const library = Array.from({ length: size }, (_, at) =>
        aTrack(String(at), {
          artists: [String(at % artists)],
          genres: [String(at % 3)],
          tempo: 60 + ((at * 37) % 120),
        }),
      );
      const byId = new Map(library.map((track) => [track.id, track]));
      let played: PlayedBefore[] = [playedAgo(library[seed % size]!, 4)];
      for (let step = 1; step < 120; step += 1) {
        const atMs = nowMs + step * 240_000;
        const [next] = suggestNext(library, { ...nothing, seed, step, played, nowMs: atMs }, 1);
        played = [...played, { track: byId.get(next!.id)!, atMs, isSkipped: false, isByHouse: true }];
      }
      const ids = played.map(({ track }) => track.id);
      const hours = ids.slice(0, -14).map((_, at) => ids.slice(at, at + 15).join(' '));
      expect(new Set(hours).size).toBe(hours.length);
      expect(new Set(ids.slice(0, size)).size).toBeGreaterThan(0.8 * size);
    }),
  );
});

test('a fair walk visits every place once, and no place is first more often than others', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (count, seed) => {
      expect([...fairWalk(count, seed)].toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: count }, (_, at) => at),
      );
    }),
  );
  expect([...fairWalk(0, 1)]).toEqual([]);
  const firsts = Array.from({ length: 10 }, () => 0);
  for (let seed = 0; seed < 5000; seed += 1)
    for (const at of [...fairWalk(10, seed)].slice(0, 1)) firsts[at] = (firsts[at] ?? 0) + 1;
  expect(Math.max(...firsts)).toBeLessThan(1.3 * Math.min(...firsts));
});

/** How often the track that people played next is among the first five of a list that saw only earlier evenings. */
import {
  type HouseFacts,
  type KnownTrack,
  type PlayedBefore,
  type ScorePart,
  seedOf,
  suggestNext,
} from '@tunemate/domain';
import { type Evening, type House, houseOf } from './houses.ts';

type Order = (house: House, learned: Learned, so: Sofar) => readonly string[];

interface Sofar {
  played: readonly PlayedBefore[];
  people: readonly number[];
  seed: number;
  nowMs: number;
  /** What of this the people who are here may be told by a list. */
  known: Pick<HouseFacts, 'together' | 'after'>;
}

const shown = 5;
/** Of a held-out evening one choice in so many is asked. */
const choicesApart = 9;
/** The share of evenings from which is learned; the others are held out. */
const learnedShare = 0.8;
const [minuteMs, dayMs] = [60_000, 24 * 60 * 60_000];

/** What the server would have counted: for each person what they heard, chose, and after what. */
interface Learned {
  heard: Map<string, Map<number, { heard: number; chosen: number; lastMs: number }>>;
  plays: Map<string, number>;
}

const key = (after: string, track: string): string => `${after} ${track}`;

function learn(evenings: readonly Evening[]): Learned {
  const learned: Learned = { heard: new Map(), plays: new Map() };
  for (const [night, { people, played }] of evenings.entries()) {
    for (const [at, { track, by }] of played.entries()) {
      learned.plays.set(track.id, (learned.plays.get(track.id) ?? 0) + 1);
      const before = played[at - 1]?.track.id;
      for (const after of before === undefined ? [''] : ['', before]) {
        const ofPair = learned.heard.get(key(after, track.id)) ?? new Map();
        learned.heard.set(key(after, track.id), ofPair);
        for (const person of people) {
          const known = ofPair.get(person) ?? { heard: 0, chosen: 0, lastMs: 0 };
          const chosen = known.chosen + (person === by ? 1 : 0);
          ofPair.set(person, { heard: known.heard + 1, chosen, lastMs: night * dayMs });
        }
      }
    }
  }
  return learned;
}

/** With the rules of `room-facts.ts`: what all who are here have heard, or what three people chose. */
function factsFor(library: readonly KnownTrack[], learned: Learned, { played, people }: Omit<Sofar, 'known'>) {
  const together: Map<string, { times: number; skipped: number; lastMs: number }> = new Map();
  for (const { id } of library) {
    const ofAll = people.map((person) => learned.heard.get(key('', id))?.get(person));
    if (ofAll.some((each) => each === undefined)) continue;
    const known = ofAll.flatMap((each) => each ?? []);
    const times = Math.min(...known.map(({ heard }) => heard));
    together.set(id, { times, skipped: 0, lastMs: Math.min(...known.map(({ lastMs }) => lastMs)) });
  }
  const after: Map<string, Map<string, number>> = new Map();
  for (const { track } of played.slice(-5)) {
    const next = new Map<string, number>();
    for (const { id } of library) {
      const pair = learned.heard.get(key(track.id, id));
      if (pair === undefined) continue;
      const ours = Math.min(...people.map((person) => pair.get(person)?.heard ?? 0));
      const chosen = [...pair.values()].filter((each) => each.chosen > 0);
      const house = chosen.length >= 3 ? chosen.reduce((sum, each) => sum + Math.min(3, each.chosen), 0) : 0;
      if (Math.max(ours, house) > 0) next.set(id, Math.max(ours, house));
    }
    after.set(track.id, next);
  }
  return { together, after };
}

/** The list as it was before: the same artist, then the next files of the folder. */
const folderOrder: Order = ({ library }, _learned, { played }) => {
  const current = played.at(-1)?.track;
  const at = library.findIndex(({ id }) => id === current?.id);
  const behind = [...library.slice(at + 1), ...library.slice(0, at)];
  const same = behind.filter(({ artists }) => artists[0] === current?.artists[0]);
  return [...new Set([...same, ...behind])].slice(0, shown).map(({ id }) => id);
};

/** What was played most often in this house and not yet this evening. */
const mostPlayed: Order = ({ library }, { plays }, { played }) => {
  const now = new Set(played.map(({ track }) => track.id));
  return library
    .filter(({ id }) => !now.has(id))
    .toSorted((a, b) => (plays.get(b.id) ?? 0) - (plays.get(a.id) ?? 0))
    .slice(0, shown)
    .map(({ id }) => id);
};

const suggested =
  (without: readonly ScorePart[] = []): Order =>
  ({ library, favourites }, _learned, sofar) => {
    const facts: HouseFacts = { ...sofar.known, votes: new Map(), similar: [], favourites };
    const context = { ...facts, ...sofar, step: sofar.played.length, without: new Set(without) };
    return suggestNext(library, context, shown).map(({ id }) => id);
  };

const orders: Readonly<Record<string, Order>> = {
  'before: the next of the folder': folderOrder,
  'most played here': mostPlayed,
  suggested: suggested(),
  'suggested, in a new house': (house, learned, sofar) =>
    suggested()(house, learned, { ...sofar, known: { together: new Map(), after: new Map() } }),
};

const parts: readonly ScorePart[] = [
  ...(['after', 'together', 'artist', 'genre', 'favourite', 'years', 'tempo', 'calm', 'rested', 'library'] as const),
];
const leftOut: Readonly<Record<string, Order>> = Object.fromEntries(
  parts.map((part) => [`suggested without '${part}'`, suggested([part])]),
);

/** The share of held-out choices that each order has among its first five: ours also with each part left out in turn. */
export function hitsOf(houses: number): Map<string, number> {
  const asked = { ...orders, ...leftOut };
  const hits = new Map(Object.keys(asked).map((name) => [name, 0]));
  let choices = 0;
  for (let number = 0; number < houses; number += 1) {
    const house = houseOf(number + 1);
    const split = Math.floor(house.evenings.length * learnedShare);
    const learned = learn(house.evenings.slice(0, split));
    for (const [night, { people, played }] of house.evenings.slice(split).entries()) {
      const seed = seedOf(`${String(number)} ${String(night)}`);
      for (let at = 1 + (night % choicesApart); at < played.length; at += choicesApart) {
        choices += 1;
        const nowMs = (split + night + 1) * dayMs + at * 4 * minuteMs;
        const before = played.slice(0, at).map(({ track }, place): PlayedBefore => {
          return { track, atMs: nowMs - (at - place) * 4 * minuteMs, isSkipped: false, isByHouse: false };
        });
        const sofar = { played: before, people, seed, nowMs };
        const known = factsFor(house.library, learned, sofar);
        for (const [name, order] of Object.entries(asked)) {
          const list = order(house, learned, { ...sofar, known });
          if (list.includes(played[at]?.track.id ?? '')) hits.set(name, (hits.get(name) ?? 0) + 1);
        }
      }
    }
  }
  return new Map([...hits].map(([name, count]) => [name, count / Math.max(1, choices)]));
}

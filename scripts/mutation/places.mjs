/** What is mutated: workspaces such as `domain`, and folders and files such as `server/src/soulmate`. */
import { dirname } from 'node:path/posix';

const places = (process.env.MUTATE ?? 'domain,protocol,playback').split(',');
const isFile = (place) => place.endsWith('.ts');
const folderOf = (place) => (place.includes('/') ? place : `${place}/src`);

/** The sources, as patterns of Stryker. */
export const sources = [
  ...places.map((place) => (isFile(place) ? place : `${folderOf(place)}/**/*.ts`)),
  ...['{playback,protocol,domain,server}/src/**/*.test.ts', 'playback/src/sim/**'].map((one) => `!${one}`),
];

/** The tests that are to notice a mutant: those beside the sources. */
export const tests = [
  ...new Set(places.map((place) => `${isFile(place) ? dirname(place) : folderOf(place)}/**/*.test.ts`)),
];

/** The server's tests ask for PostgreSQL and Redis, and go without them here. */
export const isOfServer = places.some((place) => place.startsWith('server'));

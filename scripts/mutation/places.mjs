/**
 * What is mutated: workspaces such as `domain`, folders and files such as `server/src/soulmate`, or `services`, which
 * is every service of the server.
 */
import { globSync } from 'node:fs';
import { dirname } from 'node:path/posix';

const services = () => globSync('server/src/{*,*/*}/*-service.ts');
const asked = (process.env.MUTATE ?? 'domain,protocol,playback').split(',');
const places = asked.flatMap((place) => (place === 'services' ? services() : place));
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

/** What is mutated: workspaces such as `domain`, folders and files such as `server/src/soulmate`, or `access`. */
import { dirname } from 'node:path/posix';

/** Each check between a request and its handler. What a request declares is held by docs/access.md and its test. */
const accessChecks = [
  'server/src/access/{subjects,files}.ts',
  'server/src/realtime/requests.ts',
  'server/src/http/routes.ts',
  'server/src/rooms/members/membership.ts',
  'domain/src/rooms/membership.ts',
];
/** Every request as every role. */
const accessTests = [
  'server/src/{http,realtime}/*{access,matrix}*.test.ts',
  'server/src/realtime/{receivers.flow,requests,requests.bad-input}.test.ts',
];

const places = (process.env.MUTATE ?? 'domain,protocol,playback').split(',');
const isAccess = places.includes('access');
const others = places.filter((place) => place !== 'access');
const isFile = (place) => place.endsWith('.ts');
const folderOf = (place) => (place.includes('/') ? place : `${place}/src`);

/** The sources, as patterns of Stryker. */
export const sources = [
  ...(isAccess ? accessChecks : []),
  ...others.map((place) => (isFile(place) ? place : `${folderOf(place)}/**/*.ts`)),
  ...['{playback,protocol,domain,server}/src/**/*.test.ts'].map((one) => `!${one}`),
];

/** The tests that are to notice a mutant: those beside the sources, and of access checks the tables of roles. */
export const tests = [
  ...(isAccess ? accessTests : []),
  ...new Set(others.map((place) => `${isFile(place) ? dirname(place) : folderOf(place)}/**/*.test.ts`)),
];

/** The server's tests ask for PostgreSQL and Redis, and go without them here. */
export const isOfServer = isAccess || places.some((place) => place.startsWith('server'));

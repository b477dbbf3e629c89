/** The line that an operator reads when the server can't start. main.test.ts tests it in a real start. */
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { Failure } from './ports.ts';
import { SourceFailure, startFailureLine } from './start-failure.ts';

const onFile = readConfig({ DATA_DIR: '/srv/music', PORT: '3100', HOST: '192.0.2.9' });
const onPostgres = readConfig({ DATABASE_URL: 'postgres://ada:hunter2@db.example/tunemate' });

/** An error as Node and the drivers throw it. */
const coded = (code: string, message = 'it failed', cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

/** As Node throws it of a file or a folder. */
const ofPath = (why: string, path: string) =>
  Object.assign(coded(why.split(':', 1)[0] ?? '', `${why}, mkdir '${path}'`), { path });

const notListening = (code: string) => new Failure('server/unavailable', 'http.not-listening', coded(code));

test.each([
  ['BOOT-5 a taken port', onFile, notListening('EADDRINUSE'), /^Port 3100 is in use .+ set PORT/],
  ['BOOT-5 a port of root', onFile, notListening('EACCES'), /^Port 3100 .+ rights of root\. Set PORT/],
  [
    'BOOT-5 an address of another machine',
    onFile,
    notListening('EADDRNOTAVAIL'),
    /^HOST 192\.0\.2\.9 is not an address/,
  ],
  ['BOOT-5 an address of no machine', onFile, notListening('EINVAL'), /^HOST 192\.0\.2\.9 is not an address/],
  [
    'BOOT-5 an unknown name to listen on',
    onPostgres,
    notListening('ENOTFOUND'),
    /^HOST 0\.0\.0\.0 is not .+ unset HOST/,
  ],
  [
    'BOOT-6 Redis away',
    onFile,
    new Failure('server/unavailable', 'limits.redis-unreachable', coded('ECONNREFUSED', '')),
    /^Redis .+ REDIS_URL \(ECONNREFUSED\)\. .+ Unset REDIS_URL/,
  ],
  [
    'BOOT-6 Redis away for events',
    onFile,
    new Failure('server/unavailable', 'doorbell.unreachable', new Error('no answer')),
    /^Redis .+ REDIS_URL \(no answer\)\. /,
  ],
  [
    'BOOT-6 Redis without the command that takes the password',
    onFile,
    new Failure(
      'server/unavailable',
      'limits.redis-unreachable',
      new Error("ERR unknown command 'AUTH', with args beginning with: 'hunter2' "),
    ),
    /^Redis .+ REDIS_URL \(ERR unknown command 'AUTH'\)\. .+ password right\?/,
  ],
  [
    'a folder of music that is not there',
    onFile,
    new SourceFailure('catalogue.folder-unreadable', 'The folder of MEDIA_DIR can not be read.', null),
    /^The folder of MEDIA_DIR can not be read\.$/,
  ],
  ['BOOT-6 a database that refuses', onPostgres, coded('ECONNREFUSED'), /^PostgreSQL .+ DATABASE_URL/],
  ['BOOT-6 a wrong password', onPostgres, coded('28P01'), /^PostgreSQL .+ password right/],
  ['BOOT-6 a database that is not there', onPostgres, coded('3D000'), /^PostgreSQL .+ DATABASE_URL/],
  [
    'BOOT-6 a database that is only starting',
    onPostgres,
    new Failure('server/unavailable', 'database.unusable', coded('57P03', 'the database system is starting up')),
    /^PostgreSQL can not be used at DATABASE_URL \(the database system is starting up\)\. /,
  ],
  [
    'BOOT-6 a database that refuses on each of its addresses',
    onPostgres,
    new Failure('server/unavailable', 'database.unusable', coded('ECONNREFUSED', '')),
    /^PostgreSQL .+ \(ECONNREFUSED\)\. /,
  ],
  [
    'BOOT-6 a database that takes no writes',
    onPostgres,
    coded('25006', 'cannot execute INSERT in a read-only transaction'),
    /^PostgreSQL .+ \(cannot execute INSERT in a read-only transaction\)\. /,
  ],
  ['BOOT-6 a host without a name', onPostgres, coded('ENOTFOUND'), /^PostgreSQL .+ DATABASE_URL/],
  [
    'BOOT-3 a file of something else',
    onFile,
    coded('SQLITE_NOTADB'),
    /tunemate\.sqlite is damaged\. It was not changed/,
  ],
  ['BOOT-3 a malformed page', onFile, new Error('database disk image is malformed'), /is damaged\. It was not changed/],
  [
    'BOOT-4 a folder that may not be written',
    onFile,
    coded('EACCES'),
    /Check the rights of \/srv\/music, or set DATA_DIR/,
  ],
  ['BOOT-4 a full disk', onFile, coded('ENOSPC'), /^The disk of \/srv\/music\/tunemate\.sqlite is full\.$/],
  ['BOOT-4 a database without room', onFile, coded('SQLITE_FULL'), /^The disk of .+ is full\.$/],
  [
    'BOOT-4 no room for the file beside a database',
    onFile,
    coded('SQLITE_IOERR_SHMSIZE'),
    /^The disk of .+ is full\.$/,
  ],
  [
    'BOOT-4 an upgrade without room',
    onFile,
    new Failure('server/unavailable', 'database.migration-failed', coded('SQLITE_FULL', 'database or disk is full')),
    /^The disk of .+ is full\.$/,
  ],
  [
    'BOOT-4 a file that is locked',
    onFile,
    coded('SQLITE_BUSY'),
    /^Another program has locked .+tunemate\.sqlite\. Stop it/,
  ],
  [
    'BOOT-4 a link that leads to itself',
    onFile,
    ofPath('ELOOP: too many symbolic links encountered', '/srv/music'),
    /^Nothing can be written in \/srv\/music \(ELOOP: too many symbolic links encountered\)\. Set DATA_DIR/,
  ],
  [
    'BOOT-4 a folder that may not be written, beside PostgreSQL',
    readConfig({ DATA_DIR: '/srv/music', DATABASE_URL: 'postgres://ada:hunter2@db.example/tunemate' }),
    ofPath('EACCES: permission denied', '/srv/music'),
    /^Nothing can be written in \/srv\/music \(EACCES: permission denied\)\. Set DATA_DIR/,
  ],
])('%s is said in one line', (_, config, error, line) => {
  expect(startFailureLine(error, config)).toMatch(line);
  expect(startFailureLine(error, config)).not.toContain('\n');
  // Drivers wrap errors.
  expect(startFailureLine(new Error('a query failed', { cause: error }), config)).toBe(startFailureLine(error, config));
});

test('a failure that no line was written for names itself', () => {
  expect(startFailureLine(new Failure('server/unavailable', 'push.keys-unreadable'), onFile)).toBe(
    'The server can not start: push.keys-unreadable.',
  );
});

test('a wrong setting is said without its value (BOOT-2)', () => {
  const wrong = (() => {
    try {
      return readConfig({ METRICS_TOKEN: 'hunter2' });
    } catch (error) {
      return error;
    }
  })();
  expect(startFailureLine(wrong, null)).toBe(
    'Wrong setting METRICS_TOKEN: it must be a secret of 16 characters or more, such as `openssl rand -hex 16` prints.',
  );
});

test.each([
  ['before the settings are read', null],
  ['of a server on a file', onFile],
  ['of a server on PostgreSQL', onPostgres],
])('a bug %s has no line of its own: it is shown with its calls', (_, config) => {
  expect(startFailureLine(new TypeError('x is not a function'), config)).toBeNull();
  expect(startFailureLine('no error at all', config)).toBeNull();
});

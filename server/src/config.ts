/**
 * Reads the settings from the environment once and checks them. A wrong one stops the start with one line.
 */
import { relative, resolve } from 'node:path';
import { limits } from '@tunemate/protocol';
import { z } from 'zod';
import {
  addressInBar,
  bucketAddress,
  canBeUnescaped,
  decimal,
  flag,
  folder,
  isDatabaseAddress,
  linkHosts,
  listenAddress,
  namesRedis,
  ownAddress,
  port,
  proxies,
  sender,
  serverAddress,
  storeKey,
  url,
} from './config-values.ts';
import { withoutTlsOf } from './system/private-hosts.ts';

const defaultSender = 'Tunemate <tunemate@localhost>';
const publicListenbrainz = 'https://api.listenbrainz.org';

const environment = z.object({
  PORT: port.default(3000),
  HOST: listenAddress.default('0.0.0.0'),
  PUBLIC_URL: ownAddress.optional(),
  DATA_DIR: folder.default('./data'),
  DATABASE_URL: z.string().refine(isDatabaseAddress).optional(),
  REDIS_URL: url(['redis:', 'rediss:']).refine(canBeUnescaped).refine(namesRedis).optional(),
  SMTP_URL: url(['smtp:', 'smtps:'])
    .refine((value) => new URL(value).hostname !== '' && canBeUnescaped(value))
    // That port speaks TLS from the first byte: without it each side would wait for the other.
    .refine((value) => !/^smtp:[^?]*:465\/?$/u.test(value))
    .optional(),
  MAIL_FROM: sender.default(defaultSender),
  YOUTUBE_API_KEY: z
    .string()
    .regex(/^[^"']+$/u)
    .optional(),
  YOUTUBE_API_URL: url(['http:', 'https:']).default('https://www.googleapis.com/youtube/v3'),
  YOUTUBE_VISIBLE_PLAYER: flag.default(false),
  MEDIA_DIR: folder.optional(),
  MEDIA_URL: serverAddress.optional(),
  MEDIA_SECRET: z
    .string()
    .regex(/^[\w.~+/=-]{16,}$/u)
    .optional(),
  MEDIA_HOSTS: linkHosts.default([]),
  S3_URL: bucketAddress.optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,62}$/u)
    .default('us-east-1'),
  S3_ACCESS_KEY: storeKey.optional(),
  S3_SECRET_KEY: z
    .string()
    .regex(/^[\u{21}-\u{7E}]{3,400}$/u)
    .optional(),
  SUBSONIC_URL: addressInBar.optional(),
  SUBSONIC_USER: z.string().max(200).optional(),
  SUBSONIC_PASSWORD: z.string().max(1000).optional(),
  SUBSONIC_TOKEN: z.string().max(1000).optional(),
  LINK_PREVIEWS: z.enum(['on', 'off']).default('off'),
  LISTENBRAINZ_URL: z.literal('off').or(serverAddress).default(publicListenbrainz),
  // Browsers send nothing to an address with a name or a password.
  TOKEN_SYNC_URL: url(['http:', 'https:'])
    .refine((value) => new URL(value).username === '' && new URL(value).password === '')
    .optional(),
  TRUST_PROXY: proxies.default([]),
  RATE_LIMIT_SCALE: decimal.pipe(z.number().max(1_000_000)).default(1),
  STORED_MB_PER_DAY: decimal.pipe(z.number().min(1).max(1_000_000)).default(200),
  STORED_MB_PER_PERSON: decimal.pipe(z.number().min(1).max(100_000_000)).default(5000),
  PEOPLE_PER_ROOM: decimal.pipe(z.number().int().min(2).max(10_000)).default(limits.participantsPerRoom),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/u)
    .optional(),
});

const meanings: Record<keyof z.infer<typeof environment>, string> = {
  PORT: 'a port number from 0 to 65535',
  HOST: 'an address to listen on, such as 0.0.0.0 or 127.0.0.1',
  PUBLIC_URL: 'an http or https address without a path, such as https://music.example.org',
  DATA_DIR: 'a folder, written out without ~, $ or quotes',
  DATABASE_URL: 'a postgres:// address of one host, or more with commas between, with ports up to 65535',
  REDIS_URL: 'an address such as redis://redis.example.org:6379/0, with signs of its password escaped',
  SMTP_URL: 'an smtp:// or smtps:// address (smtps:// at port 465), with signs of its password escaped',
  MAIL_FROM: 'a sender such as Tunemate <music@example.org>',
  YOUTUBE_API_KEY: 'a key of the YouTube Data API, without quotes',
  YOUTUBE_API_URL: 'an http or https address',
  YOUTUBE_VISIBLE_PLAYER: 'true or false',
  MEDIA_DIR: 'a folder of media files, written out without ~, $ or quotes',
  MEDIA_URL: 'an http or https address without a query, such as https://music.example.org/library-files',
  MEDIA_SECRET: 'a secret of 16 letters or digits or more, such as `openssl rand -hex 16` prints',
  MEDIA_HOSTS: 'names of hosts such as media.example.net, with commas between, without ports and paths',
  S3_URL: 'an https address with a bucket, such as https://s3.example.org/tunemate; http only within a private network',
  S3_REGION: 'the name of a region, such as us-east-1 or garage',
  S3_ACCESS_KEY: 'the access key of the object store, without quotes',
  S3_SECRET_KEY: 'the secret key of the object store, without blanks',
  SUBSONIC_URL: 'an http or https address without a name, a password and a ?, such as https://music.example.org',
  SUBSONIC_USER: 'the name of an account on the music server',
  SUBSONIC_PASSWORD: 'the password of SUBSONIC_USER, of 1000 characters at most',
  SUBSONIC_TOKEN: 'an API key of the music server, of 1000 characters at most',
  LINK_PREVIEWS: 'on or off',
  LISTENBRAINZ_URL: 'off, or an http or https address without a name or password',
  TOKEN_SYNC_URL: 'an http or https address without a name or password',
  TRUST_PROXY: 'true, false, or addresses of proxies such as 10.0.0.5, 192.168.1.0/24',
  RATE_LIMIT_SCALE: 'a number of 0 or more',
  STORED_MB_PER_DAY: 'a number of megabytes, 1 or more',
  STORED_MB_PER_PERSON: 'a number of megabytes, 1 or more',
  PEOPLE_PER_ROOM: 'a whole number from 2 to 10000',
  LOG_LEVEL: 'one of trace, debug, info, warn, error, fatal, silent',
  METRICS_TOKEN: 'a secret of 16 characters or more, such as `openssl rand -hex 16` prints',
};

export interface Config {
  port: number;
  host: string;
  /** Origin only: scheme, host and port. */
  publicUrl: string;
  /** False when PUBLIC_URL is unset: then the other names of this machine are accepted as origins too. */
  isPublicUrlGiven: boolean;
  dataDir: string;
  /** `sqlite:` and a path, or `postgres://…`. */
  databaseUrl: string;
  redisUrl: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  youtubeApiKey: string | null;
  youtubeApiUrl: string;
  youtubeVisiblePlayer: boolean;
  mediaDir: string | null;
  /** The web server beside us that sends media; null when we do. */
  mediaHost: { url: string; secret: string } | null;
  /** The bucket for pictures, recordings and copies of tracks; null where the data folder has them. */
  s3: { url: string; region: string; accessKey: string; secretKey: string } | null;
  /** Hosts whose films may be played by a link. */
  linkHosts: readonly string[];
  /** The operator's music server; null without. */
  subsonic: { url: string; user: string | null; password: string | null; token: string | null } | null;
  /** Whether pages that messages link to are fetched for a preview. */
  linkPreviews: boolean;
  /** Where listens are sent; null for nowhere. */
  listenbrainz: { url: string; isOperators: boolean } | null;
  tokenSyncUrl: string | null;
  /** Addresses and networks of the proxies that are trusted to name the visitor's address. */
  trustProxy: readonly string[];
  rateLimitScale: number;
  /** What one person may leave with us for good, a day and in all. */
  storedMbPerDay: number;
  storedMbPerPerson: number;
  peoplePerRoom: number;
  logLevel: string;
  metricsToken: string | null;
  /** What all processes of an installation must agree on, by the names of settings. Some are secrets. */
  agreed: Readonly<Record<string, string>>;
  /** Settings whose address leads across a public network without TLS. */
  withoutTls: readonly string[];
}

/** A setting that can't be used; the message is the one line the operator sees. It never holds the value. */
export class WrongSetting extends Error {}

/**
 * A mail server on this machine may write the sender anew. Others refuse one at `localhost`, or throw its mails away.
 */
const isLoopback = (hostname: string): boolean => /^(?:localhost|127\..*|\[::1\])$/u.test(hostname);

/** As a shell would not: files of settings are read to the end of the line. A password may look like that. */
const isWrapped = (value: string, name: string): boolean =>
  name !== 'SUBSONIC_PASSWORD' && (/^(["']).*\1$/su.test(value) || /\s#(?:\s|$)/u.test(value));

/** The file that a DATABASE_URL names; null for PostgreSQL. */
export const sqlitePathOf = (databaseUrl: string): string | null =>
  databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null;

/** Reads the settings. Empty variables count as unset. Throws WrongSetting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  // Files of settings leave blanks and line ends behind. Of a folder they may be a part.
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value = '']) => {
      const text = name.endsWith('_DIR') ? value : value.trim();
      return text.trim() === '' ? [] : [[name, text]];
    }),
  );
  const wrapped = Object.keys(meanings).find((name) => isWrapped(given[name] ?? '', name));
  if (wrapped !== undefined) {
    const meaning = meanings[wrapped as keyof typeof meanings];
    throw new WrongSetting(
      `Wrong setting ${wrapped}: it must be ${meaning}, with no quotes around it or comment behind it.`,
    );
  }
  const read = environment.safeParse(given);
  if (!read.success) {
    const name = String(read.error.issues[0]?.path[0] ?? '');
    throw new WrongSetting(`Wrong setting ${name}: it must be ${meanings[name as keyof typeof meanings]}.`);
  }
  const set = read.data;
  if (
    set.SMTP_URL !== undefined &&
    set.MAIL_FROM.includes('@localhost') &&
    !isLoopback(new URL(set.SMTP_URL).hostname)
  ) {
    throw new WrongSetting(`Wrong setting MAIL_FROM: it must be ${meanings.MAIL_FROM}, because SMTP_URL is set.`);
  }
  const dataDir = resolve(set.DATA_DIR);
  return {
    port: set.PORT,
    host: set.HOST,
    publicUrl: new URL(set.PUBLIC_URL ?? `http://localhost:${String(set.PORT)}`).origin,
    isPublicUrlGiven: set.PUBLIC_URL !== undefined,
    dataDir,
    databaseUrl: set.DATABASE_URL ?? `sqlite:${resolve(dataDir, 'tunemate.sqlite')}`,
    redisUrl: set.REDIS_URL ?? null,
    smtpUrl: set.SMTP_URL ?? null,
    mailFrom: set.MAIL_FROM,
    youtubeApiKey: set.YOUTUBE_API_KEY ?? null,
    youtubeApiUrl: set.YOUTUBE_API_URL,
    youtubeVisiblePlayer: set.YOUTUBE_VISIBLE_PLAYER,
    mediaDir: mediaDirOf(set.MEDIA_DIR, dataDir),
    mediaHost: mediaHostOf(set),
    s3: s3Of(set),
    linkHosts: set.MEDIA_HOSTS,
    subsonic: subsonicOf(set),
    linkPreviews: set.LINK_PREVIEWS === 'on',
    listenbrainz: listenbrainzOf(set.LISTENBRAINZ_URL),
    tokenSyncUrl: tokenSyncOf(set),
    trustProxy: set.TRUST_PROXY,
    rateLimitScale: set.RATE_LIMIT_SCALE,
    storedMbPerDay: set.STORED_MB_PER_DAY,
    storedMbPerPerson: set.STORED_MB_PER_PERSON,
    peoplePerRoom: set.PEOPLE_PER_ROOM,
    logLevel: set.LOG_LEVEL,
    metricsToken: set.METRICS_TOKEN ?? null,
    agreed: Object.fromEntries(
      Object.entries(set).flatMap(([name, value]) => (ofOneProcess.has(name) ? [] : [[name, JSON.stringify(value)]])),
    ),
    withoutTls: withoutTlsOf(set),
  };
}

/** A machine may have other folders, addresses and ways to what is shared. */
const ofOneProcess = new Set<string>([
  ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'MEDIA_DIR', 'TRUST_PROXY', 'LOG_LEVEL'],
]);

/** Recordings of private chats lie in `images` of the one folder; the other's are listed for all users. */
function mediaDirOf(given: string | undefined, dataDir: string): string | null {
  if (given === undefined) return null;
  const mediaDir = resolve(given);
  const holds = (folder: string, other: string): boolean => !/^\.\.(?:$|[\\/])/u.test(relative(folder, other));
  if (holds(mediaDir, dataDir) || holds(resolve(dataDir, 'images'), mediaDir)) {
    throw new WrongSetting('Wrong setting MEDIA_DIR: it must be a folder without DATA_DIR, which holds private chats.');
  }
  return mediaDir;
}

/** A page that came with TLS sends nothing without it, but to its own machine. */
function tokenSyncOf({ TOKEN_SYNC_URL: url, PUBLIC_URL }: z.infer<typeof environment>): string | null {
  if (url === undefined) return null;
  const isPlain = new URL(url).protocol === 'http:' && !isLoopback(new URL(url).hostname);
  if (isPlain && PUBLIC_URL?.startsWith('https:') === true) {
    throw new WrongSetting('Wrong setting TOKEN_SYNC_URL: it must begin with https, because PUBLIC_URL does.');
  }
  return url;
}

/** Each is useless without the other. A page that came with TLS loads nothing without it. */
function mediaHostOf({ MEDIA_URL: url, MEDIA_SECRET: secret, PUBLIC_URL }: z.infer<typeof environment>) {
  if (url === undefined && secret === undefined) return null;
  if (url === undefined) throw new WrongSetting(`Wrong setting MEDIA_URL: it must be ${meanings.MEDIA_URL}.`);
  if (secret === undefined) throw new WrongSetting(`Wrong setting MEDIA_SECRET: it must be ${meanings.MEDIA_SECRET}.`);
  if (PUBLIC_URL?.startsWith('https:') === true && !url.startsWith('https:')) {
    throw new WrongSetting('Wrong setting MEDIA_URL: it must begin with https, because PUBLIC_URL does.');
  }
  return { url: url.replace(/\/+$/, ''), secret };
}

/** The three belong together. */
function s3Of({ S3_URL, S3_REGION: region, S3_ACCESS_KEY, S3_SECRET_KEY }: z.infer<typeof environment>): Config['s3'] {
  const given = { S3_URL, S3_ACCESS_KEY, S3_SECRET_KEY };
  if (S3_URL !== undefined && S3_ACCESS_KEY !== undefined && S3_SECRET_KEY !== undefined) {
    return { url: S3_URL.replace(/\/+$/, ''), region, accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY };
  }
  for (const [name, value] of Object.entries(given)) {
    const isMissing = value === undefined && Object.values(given).some((each) => each !== undefined);
    if (isMissing) throw new WrongSetting(`Wrong setting ${name}: it must be ${meanings[name as keyof typeof given]}.`);
  }
  return null;
}

/** An address without an account, and an account without an address, are forgotten halves. */
function subsonicOf(set: z.infer<typeof environment>): Config['subsonic'] {
  const { SUBSONIC_URL: url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password, SUBSONIC_TOKEN: token } = set;
  const isNamed = user !== undefined && password !== undefined;
  if (url === undefined) {
    if (user === undefined && password === undefined && token === undefined) return null;
    throw new WrongSetting(`Wrong setting SUBSONIC_URL: it must be ${meanings.SUBSONIC_URL}.`);
  }
  if (!isNamed && token === undefined) {
    throw new WrongSetting(
      'Wrong setting SUBSONIC_URL: it needs SUBSONIC_USER and SUBSONIC_PASSWORD, or SUBSONIC_TOKEN.',
    );
  }
  // Copied from a browser's bar, where the server's own app stands behind it, or from the settings of another client.
  const base = url.replace(/\/*(?:#.*)?$/su, '').replace(/\/(?:rest|app|(?:index|login|home)(?:\.\w{1,5})?)$/, '');
  return { url: base, user: user ?? null, password: password ?? null, token: token ?? null };
}

/** People copy the address from the settings of other clients, with the path of the version. */
function listenbrainzOf(given: string): Config['listenbrainz'] {
  if (given === 'off') return null;
  return { url: given.replace(/\/+$/, '').replace(/\/1$/, ''), isOperators: given !== publicListenbrainz };
}

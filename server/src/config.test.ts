import { describe, expect, test } from 'vitest';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentTable } from '@tunemate/testkit/document-table';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import { parse } from 'yaml';
import { readConfig } from './config.ts';

describe('settings', () => {
  test.each<[string, string]>([
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', 'ftp://jazz.example'],
    ['PUBLIC_URL', 'jazz.example'],
    ['DATABASE_URL', 'mysql://db.example/x'],
    ['DATABASE_URL', 'postgres://db.example/x?port=abc'],
    ['DATABASE_URL', 'postgres://db.example/x?port=99999'],
    ['DATABASE_URL', 'postgres://ann@db1.example:5432,db2.example:99999/x'],
    ['DATABASE_URL', 'postgres://db1.example,/x'],
    ['REDIS_URL', 'http://redis.example'],
    ['SMTP_URL', 'mail.example'],
    ['YOUTUBE_API_URL', 'file:///etc'],
    ['YOUTUBE_VISIBLE_PLAYER', 'yes'],
    ['TOKEN_SYNC_URL', 'javascript:alert(1)'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['STORED_MB_PER_DAY', '0.5'],
    ['PEOPLE_PER_ROOM', '01'],
    ['PEOPLE_PER_ROOM', '10001'],
    ['PEOPLE_PER_ROOM', '99.5'],
    ['STORED_MB_PER_PERSON', 'much'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', '123456789012345'],
    ['PUBLIC_URL', 'https://house.example/music'],
    ['PUBLIC_URL', 'https://house.example/?from=proxy'],
    ['PUBLIC_URL', 'https://house.example/#top'],
    ['PUBLIC_URL', 'https://ann:secret@house.example'],
    ['PUBLIC_URL', 'http://0.0.0.0:3000'],
    ['DATA_DIR', '~/tunemate'],
    ['DATA_DIR', '$HOME/tunemate'],
    ['DATA_DIR', '"/srv/tunemate"'],
    ['MEDIA_DIR', '~ann/music'],
    ['MEDIA_DIR', '${HOME}/music'],
    ['MAIL_FROM', 'house'],
    ['MAIL_FROM', 'Tunemate <music>'],
    ['MAIL_FROM', 'Tunemate music@example.org'],
    ['MAIL_FROM', 'Tunemate: our house <music@example.org>'],
    ['MAIL_FROM', 'Our "house <music@example.org>'],
    ['HOST', 'http://127.0.0.1'],
    ['HOST', '0.0.0.0:3000'],
    ['PORT', '0x50'],
    ['PORT', 'tcp://10.0.0.1:3000'],
    ['RATE_LIMIT_SCALE', '1,5'],
    ['STORED_MB_PER_DAY', '1e3'],
    ['PUBLIC_URL', 'https:/house.example'],
    ['PUBLIC_URL', 'https://*.house.example'],
    ['PUBLIC_URL', 'https://${DOMAIN}'],
    ['PUBLIC_URL', 'https://house.example.'],
    ['SMTP_URL', 'smtp:///25'],
    ['SMTP_URL', 'smtp://ann:secret@mail.example:465'],
    ['DATA_DIR', 'file:///srv/data'],
    ['DATA_DIR', '/srv/data\n'],
    ['MEDIA_DIR', 'smb://nas/music'],
    ['YOUTUBE_API_KEY', '"AIzaKey"'],
    ['SUBSONIC_URL', 'https://ann:secret@music.example'],
    ['SUBSONIC_URL', 'music.example:4533'],
    ['S3_URL', 'https://ann:secret@s3.example/pictures'],
    ['S3_URL', 'https://store.example'],
    ['S3_URL', 'https://store.example/'],
    ['S3_URL', 'https://s3.example/Pictures'],
    ['S3_URL', 'https://s3.example/pictures?acl'],
    ['S3_URL', 'https://s3.example/pictures/..%2fother'],
    ['S3_URL', 'http://s3.example/pictures'],
    ['S3_URL', 'http://8.8.8.8/pictures'],
    ['S3_REGION', 'eu west'],
    ['S3_ACCESS_KEY', 'one/two'],
    ['S3_SECRET_KEY', 'two words'],
    ['LISTENBRAINZ_URL', 'https://ann:secret@listens.example'],
    ['LISTENBRAINZ_URL', 'no'],
    ['LINK_PREVIEWS', 'true'],
    ['LINK_PREVIEWS', 'ON'],
    ['LINK_PREVIEWS', 'https://previews.example'],
    ['MEDIA_URL', 'https://media.example/files?key=1'],
    ['MEDIA_SECRET', 'fifteen-letters'],
    ['MEDIA_SECRET', 'with $dollar and "quotes"'],
    ['METRICS_TOKEN', '"0123456789abcdef"'],
    ['METRICS_TOKEN', '0123456789 abcdef'],
    ['S3_SECRET_KEY', "'0123456789abcdef'"],
    ['SUBSONIC_TOKEN', '"key"'],
    ['SUBSONIC_USER', "'ann'"],
    ['DATA_DIR', '/srv/data # on the large disk'],
    ['DATA_DIR', '`pwd`/data'],
    ['MEDIA_DIR', '/srv/music  # films too'],
    ['YOUTUBE_API_KEY', 'AIzaKey # of the house'],
    ['SMTP_URL', 'smtp://ann:50%off@mail.example'],
    ['REDIS_URL', 'redis://:50%off@redis.example'],
    ['REDIS_URL', 'redis://redis.example/tunemate'],
    ['REDIS_URL', 'redis:///0'],
    ['PUBLIC_URL', 'https://house.example:0'],
    ['TOKEN_SYNC_URL', 'https://ann:secret@tokens.example/sync'],
    ...[
      ...[
        'localhost',
        'printer',
        '127.0.0.1',
        '10.0.0.7',
        '[::1]',
        '0x7f.1',
        '*.example.org',
        'films.example.org:8443',
      ],
      ...[
        'https://films.example.org',
        'films.example.org/a',
        'films.example.org.',
        'ann@films.example.org',
        'nas.local',
      ],
      ...['films.example.org,', 'münchen.example', 'router.lan', 'app.internal', 'films.example.org; script-src *'],
    ].map((hosts): [string, string] => ['MEDIA_HOSTS', hosts]),
  ])('a wrong %s (%s) is named, and its value is not (BOOT-2)', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(new RegExp(`^Wrong setting ${name}: it must be [^\n]+\\.$`));
    expect(read).not.toThrow(value);
  });

  test.each([
    [{ SUBSONIC_URL: 'http://music.example' }, 'SUBSONIC_PASSWORD'],
    [{ SUBSONIC_URL: 'http://music.example', SUBSONIC_USER: 'tunemate' }, 'SUBSONIC_PASSWORD'],
    [{ SUBSONIC_USER: 'tunemate', SUBSONIC_PASSWORD: 'open sesame' }, 'SUBSONIC_URL'],
  ])('half an account of the music server is named (BOOT-2)', (env, missing) => {
    expect(() => readConfig(env)).toThrow(missing);
    expect(() => readConfig(env)).not.toThrow('open sesame');
  });

  test.each([
    [{ MEDIA_URL: 'https://media.example' }, 'MEDIA_SECRET'],
    [{ MEDIA_SECRET: 'a-secret-of-media-1' }, 'MEDIA_URL'],
    [
      { MEDIA_URL: 'http://media.example', MEDIA_SECRET: 'a-secret-of-media-1', PUBLIC_URL: 'https://house.example' },
      'https',
    ],
  ])(
    'a web server for media without its other half, or without the TLS of pages, is named (BOOT-2)',
    (env, missing) => {
      expect(() => readConfig(env)).toThrow(missing);
      expect(() => readConfig(env)).not.toThrow('a-secret-of-media-1');
    },
  );

  test.each([
    ['/srv/data', '/srv/data'],
    ['/srv/data/', '/srv/data'],
    ['/srv', '/srv/data'],
    ['/', '/srv/data'],
    ['/srv/data/images', '/srv/data'],
    ['/srv/data/images/voice', '/srv/data'],
    ['.', './data'],
  ])('a MEDIA_DIR of %s beside a DATA_DIR of %s would publish what is private (BOOT-2)', (media, data) => {
    expect(() => readConfig({ MEDIA_DIR: media, DATA_DIR: data })).toThrow(/^Wrong setting MEDIA_DIR: [^\n]+\.$/);
  });

  test.each([
    ['/srv/data/music', '/srv/data'],
    ['/srv/data-music', '/srv/data'],
    ['/srv/dat', '/srv/data'],
    ['/srv/music', '/srv/data'],
  ])('a MEDIA_DIR of %s beside a DATA_DIR of %s holds nothing private', (media, data) => {
    expect(readConfig({ MEDIA_DIR: media, DATA_DIR: data }).mediaDir).toBe(media);
  });

  test('a page that came with TLS sends no token without it (BOOT-2)', () => {
    const read = (syncUrl: string) =>
      readConfig({ PUBLIC_URL: 'https://house.example', TOKEN_SYNC_URL: syncUrl }).tokenSyncUrl;
    expect(() => read('http://tokens.example/sync')).toThrow(/^Wrong setting TOKEN_SYNC_URL: [^\n]+\.$/);
    expect(read('https://tokens.example/sync?of=house')).toBe('https://tokens.example/sync?of=house');
    // Browsers make an exception for their own machine.
    expect(read('http://localhost:4000/sync')).toBe('http://localhost:4000/sync');
  });

  test('the address of the music server may end where its clients begin', () => {
    const account = { SUBSONIC_TOKEN: 'key' };
    for (const url of [
      'https://music.example/sonic',
      'https://music.example/sonic/',
      'https://music.example/sonic/rest/',
    ]) {
      expect(readConfig({ ...account, SUBSONIC_URL: url }).subsonic?.url).toBe('https://music.example/sonic');
    }
  });

  test('the object store has an address and two keys, and no half of them (BOOT-2)', () => {
    const keys = { S3_ACCESS_KEY: 'an-access-key', S3_SECRET_KEY: 'open/sesame+' };
    for (const url of [
      'https://s3.example/pictures',
      'https://s3.example/pictures/club/',
      'http://garage:3900/pictures',
      'http://127.0.0.1:9000/pictures',
      'http://[::1]:9000/pictures',
      'http://192.168.1.4/pictures',
      'http://minio.lan/pictures',
    ]) {
      const account = { region: 'us-east-1', accessKey: 'an-access-key', secretKey: 'open/sesame+' };
      expect(readConfig({ ...keys, S3_URL: url }).s3).toEqual({ url: url.replace(/\/$/, ''), ...account });
    }
    expect(readConfig({ S3_REGION: 'garage' }).s3).toBeNull();
    expect(() => readConfig(keys)).toThrow('S3_URL');
    for (const name of ['S3_ACCESS_KEY', 'S3_SECRET_KEY']) {
      const half = { ...keys, S3_URL: 'https://s3.example/pictures', [name]: '' };
      expect(() => readConfig(half)).toThrow(name);
      expect(() => readConfig(half)).not.toThrow('sesame');
    }
  });

  test.each([
    [{ DATABASE_URL: 'postgres://u:p@db.example.org/t' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://u:p@10.0.0.5:5432,db.example.org:5433/t' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://u:p@10.0.0.5,10.0.0.6:5433/t' }, []],
    [{ DATABASE_URL: 'postgres://u:p@db.example.org/t?sslmode=verify-full' }, []],
    [{ DATABASE_URL: 'postgres://u:p@db.example.org/t?sslmode=disable' }, []],
    [{ DATABASE_URL: 'postgres://u:p@db.example.org/t?host=/run/postgresql' }, []],
    [{ DATABASE_URL: 'postgres://u:p@10.0.0.5/t', REDIS_URL: 'redis://redis' }, []],
    [{ REDIS_URL: 'redis://redis.example.org' }, ['REDIS_URL']],
    [{ REDIS_URL: 'rediss://redis.example.org' }, []],
  ])('%o leads across a public network without TLS by %o', (env, names) => {
    expect(readConfig(env).withoutTls).toEqual(names);
  });

  test('an empty setting is an unset one (BOOT-2)', () => {
    const empty = Object.fromEntries(
      ['PORT', 'HOST', 'PUBLIC_URL', 'REDIS_URL', 'MEDIA_DIR'].map((name) => [name, '']),
    );
    expect(readConfig(empty)).toEqual(readConfig({}));
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:3000',
      isPublicUrlGiven: false,
    });
  });

  test('blanks around a setting are none of it, and a setting of blanks is unset (BOOT-2)', () => {
    const blank = { PORT: ' ', RATE_LIMIT_SCALE: ' ', MEDIA_DIR: '  ', YOUTUBE_API_KEY: '\n' };
    expect(readConfig(blank)).toEqual(readConfig({}));
    const around = { PORT: ' 8080\r', HOST: 'localhost ', YOUTUBE_API_KEY: ' AIza ', TRUST_PROXY: ' true' };
    expect(readConfig(around)).toMatchObject({ port: 8080, host: 'localhost', youtubeApiKey: 'AIza' });
  });

  test('the default sender is refused beside a mail server that is not of this machine (BOOT-2)', () => {
    const smtp = { SMTP_URL: 'smtps://mail.example:465' };
    expect(() => readConfig(smtp)).toThrow(/^Wrong setting MAIL_FROM: .* because SMTP_URL is set\.$/);
    expect(() => readConfig({ ...smtp, MAIL_FROM: 'music@localhost' })).toThrow('Wrong setting MAIL_FROM');
    for (const sender of ['music@house.example', 'Our <music@house.example>', '"A, B" <music@house.example>']) {
      expect(readConfig({ ...smtp, MAIL_FROM: sender }).mailFrom).toBe(sender);
    }
    expect(readConfig({ SMTP_URL: 'smtp://127.0.0.1:25' }).mailFrom).toBe('Tunemate <tunemate@localhost>');
  });

  test('a slash at the end of PUBLIC_URL is its origin (BOOT-2)', () => {
    expect(readConfig({ PUBLIC_URL: 'https://house.example/' }).publicUrl).toBe('https://house.example');
  });

  test('a set one is taken over: of the address the origin, folders in full (BOOT-2)', () => {
    const config = readConfig({
      PUBLIC_URL: 'https://music.example:8443',
      DATA_DIR: '/srv/data',
      MEDIA_DIR: '/srv/music',
      YOUTUBE_VISIBLE_PLAYER: '1',
      YOUTUBE_API_KEY: 'a key',
      REDIS_URL: 'rediss://redis.example',
      SMTP_URL: 'smtps://mail.example',
      MAIL_FROM: 'music@example.org',
      TOKEN_SYNC_URL: 'https://sync.example/token',
      RATE_LIMIT_SCALE: '2.5',
      METRICS_TOKEN: '1234567890123456',
    });
    expect(config).toMatchObject({
      publicUrl: 'https://music.example:8443',
      isPublicUrlGiven: true,
      databaseUrl: 'sqlite:/srv/data/tunemate.sqlite',
      mediaDir: '/srv/music',
      youtubeVisiblePlayer: true,
      youtubeApiKey: 'a key',
      redisUrl: 'rediss://redis.example',
      smtpUrl: 'smtps://mail.example',
      tokenSyncUrl: 'https://sync.example/token',
      rateLimitScale: 2.5,
      metricsToken: '1234567890123456',
    });
  });

  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('a switch takes %s (BOOT-2)', (value, expected) => {
    expect(readConfig({ YOUTUBE_VISIBLE_PLAYER: value }).youtubeVisiblePlayer).toBe(expected);
    expect(readConfig({ TRUST_PROXY: value }).trustProxy.length > 0).toBe(expected);
  });

  test.each(['yes', '10.0.0.0/33', '10.0.0.1/', '10.0.0.1/-1', 'proxy.example', '10.0.0.1,', '::1/129', '1.2.3.4/8/8'])(
    'TRUST_PROXY=%s is a wrong setting (HTTP-35)',
    (value) => {
      expect(() => readConfig({ TRUST_PROXY: value })).toThrow('Wrong setting TRUST_PROXY');
      expect(() => readConfig({ TRUST_PROXY: `10.0.0.1,${value}` })).toThrow('Wrong setting TRUST_PROXY');
    },
  );

  test('TRUST_PROXY lists addresses and networks, with space around them (HTTP-35)', () => {
    const networks = readConfig({ TRUST_PROXY: '10.0.0.5, 192.168.1.0/24 ,fe80::/128' }).trustProxy;
    expect(networks).toEqual(['10.0.0.5', '192.168.1.0/24', 'fe80::/128']);
  });

  test('hosts of films are names, written in any case with blanks around', () => {
    const { linkHosts } = readConfig({ MEDIA_HOSTS: 'Films.Example, xn--mnchen-3ya.example' });
    expect(linkHosts).toEqual(['films.example', 'xn--mnchen-3ya.example']);
    expect(readConfig({}).linkHosts).toEqual([]);
  });

  test('previews of links are made only where that is switched on', () => {
    const isOn = (value: string) => readConfig({ LINK_PREVIEWS: value }).linkPreviews;
    expect([readConfig({}).linkPreviews, isOn(''), isOn('off'), isOn(' on ')]).toEqual([false, false, false, true]);
  });

  test('listens go to the public service, to a server of the operator, or nowhere', () => {
    const of = (url?: string) => readConfig(url === undefined ? {} : { LISTENBRAINZ_URL: url }).listenbrainz;
    expect(of()).toEqual({ url: 'https://api.listenbrainz.org', isOperators: false });
    expect(of('off')).toBeNull();
    for (const url of ['http://10.0.0.7/apis/listenbrainz', 'http://10.0.0.7/apis/listenbrainz/1/']) {
      expect(of(url)).toEqual({ url: 'http://10.0.0.7/apis/listenbrainz', isOperators: true });
    }
  });
});

/** The files of deploy/, Docker and Compose and the table of settings name what exists. `npm run bench -- image` runs the containers. */
describe('deploy files', () => {
  const root = join(import.meta.dirname, '../..');
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');

  /** Each has a line that says what it must be. */
  const settingNames = Array.from(read('server/src/config.ts').matchAll(/^ {2}([A-Z\d_]+): '/gm), ([, name]) => name);

  interface Compose {
    services: Record<string, { environment?: Record<string, string>; image?: string; volumes?: string[] }>;
  }
  interface Dashboard {
    panels: { title: string; targets: { expr: string }[] }[];
  }
  interface Alerts {
    groups: { rules: { alert: string; expr: string }[] }[];
  }

  /** The metrics that a query names; functions, labels and words of the language are left out. */
  function metricsIn(query: string): string[] {
    const withoutLabels = query.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) \([^)]*\)/g, '');
    return [...withoutLabels.matchAll(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?! *\()/g)].map(([name]) => name);
  }

  describe('metrics of deploy/', () => {
    const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard;
    const alerts = parse(read('deploy/alerts.yaml')) as Alerts;
    const queries = [
      ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const)),
    ];

    test('each one that the dashboard and the alerts name is served', async () => {
      const app = await startTestApp();
      const served = await (await app.visitor().fetch('/metrics')).text();
      await app.close();
      const types = [...served.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      );
      // `up` is Prometheus's own.
      const named = queries.flatMap(([where, query]) => metricsIn(query).map((metric) => ({ where, metric })));
      expect(named.length).toBeGreaterThan(queries.length - 2);
      expect(named.filter(({ metric }) => !types.includes(metric))).toEqual([]);
    });
  });

  test.each(['compose.yaml', 'compose.cluster.yaml'])('%s sets only settings that exist', (file) => {
    const { services } = parse(read(file), { merge: true }) as Compose;
    const ours = Object.entries(services).filter(([name]) => name.startsWith('tunemate'));
    expect(ours.length).toBe(file === 'compose.yaml' ? 1 : 3);
    for (const [, { environment = {} }] of ours) {
      expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([]);
    }
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((each) => /^\.\/[^:]+/.exec(each) ?? []),
    );
    expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('the Dockerfile copies what is there, and all workspaces', () => {
    const lines = read('Dockerfile').split('\n');
    const copied = lines.flatMap(
      (line) => /^COPY (?!--)(?<paths>.+) \S+$/.exec(line)?.groups?.['paths']?.split(' ') ?? [],
    );
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    expect(workspaces.filter((each) => !copied.includes(`${each}/package.json`))).toEqual([]);
  });

  test('docs/configuration.md lists every setting', () => {
    const listed = documentTable('docs/configuration.md', 'Settings').flatMap(([names = '']) => names.split(', '));
    expect(new Set(listed)).toEqual(new Set(settingNames));
  });
});

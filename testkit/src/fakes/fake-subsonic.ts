/**
 * A stand-in for a music server, for what Supysonic does not speak: API keys, salted passwords, 100,000 tracks, faults and
 * attacks. Its answers have the shape that the OpenSubsonic documentation gives.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../network/serve.ts';

/** One call as it arrived. */
export interface SubsonicCall {
  /** `ping`, `search3` … */
  readonly method: string;
  readonly http: string;
  /** Of the address alone. */
  readonly address: string;
  /** Of the address or the body. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
}

export interface FakeSubsonic {
  /** For SUBSONIC_URL. */
  readonly url: string;
  readonly calls: SubsonicCall[];
  /** Answers in place of the usual answer when it returns true. */
  answer: (call: SubsonicCall, response: ServerResponse) => boolean;
  /** How many calls are being answered, at most, so far. */
  readonly mostAtOnce: () => number;
  close(): Promise<void>;
}

export interface FakeSubsonicOptions {
  /** A track by its number; by default ten tracks of an album, ten albums of an artist. */
  readonly songAt?: (index: number) => object;
  readonly count?: number;
  /** What it accepts; the name is 'tunemate' and the password 'open sesame', the key 'a-key'. */
  readonly accepts?: 'salt' | 'key';
  readonly version?: string;
  readonly file?: Buffer;
  readonly cover?: Buffer;
  /** Of a track by its id, by the extension 'songLyrics'; without, the server does not know the extension. */
  readonly lyricsOf?: (id: string) => readonly object[];
  /** In the order of their names, as Navidrome lists them. */
  readonly playlists?: readonly FakePlaylist[];
  /** By the older call; undefined where it has none. */
  readonly wordsOf?: (artist: string, title: string) => string | undefined;
}

export interface FakePlaylist {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly isPublic: boolean;
  /** By their numbers; what the server has lost is in no answer. */
  readonly songs: readonly number[];
}

export const fakeAccount = { user: 'tunemate', password: 'open sesame', key: 'a-key' } as const;

/** Sends an answer of the protocol. */
export function sendSubsonic(response: ServerResponse, more: object, version = '1.16.1'): void {
  const answer = { status: 'ok', version, type: 'navidrome', serverVersion: '0.55.2', openSubsonic: true, ...more };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ 'subsonic-response': answer }));
}

export const sendSubsonicError = (response: ServerResponse, code: number, message = 'It failed'): void =>
  sendSubsonic(response, { status: 'failed', error: { code, message } });

export function fakeSong(index: number): object {
  const [album, artist] = [Math.floor(index / 10), Math.floor(index / 100)];
  return {
    id: `tr-${String(index)}`,
    parent: `al-${String(album)}`,
    isDir: false,
    title: `Song number ${String(index)}`,
    album: `Album ${String(album)}`,
    artist: `Artist ${String(artist)}`,
    track: (index % 10) + 1,
    year: 1960 + (album % 60),
    genre: 'Jazz',
    coverArt: `al-${String(album)}`,
    size: 5_000_000 + index,
    contentType: 'audio/flac',
    suffix: 'flac',
    duration: 180 + (index % 90),
    bitRate: 900,
    path: `Artist ${String(artist)}/Album ${String(album)}/${String((index % 10) + 1)}.flac`,
    discNumber: 1,
    created: '2026-01-02T03:04:05.000Z',
    albumId: `al-${String(album)}`,
    artistId: `ar-${String(artist)}`,
    type: 'music',
    mediaType: 'song',
    artists: [{ id: `ar-${String(artist)}`, name: `Artist ${String(artist)}` }],
    displayArtist: `Artist ${String(artist)}`,
    isVideo: false,
  };
}

export async function startFakeSubsonic(options: FakeSubsonicOptions = {}): Promise<FakeSubsonic> {
  const calls: SubsonicCall[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const { url, close } = await serve((request, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.once('close', () => (atOnce -= 1));
    void readCall(request).then((call) => {
      calls.push(call);
      if (!fake.answer(call, response)) answerUsually(call, response, options);
    });
  });
  const fake: FakeSubsonic = {
    url,
    calls,
    answer: () => false,
    mostAtOnce: () => mostAtOnce,
    close,
  };
  return fake;
}

async function readCall(request: IncomingMessage): Promise<SubsonicCall> {
  const address = request.url ?? '/';
  const url = new URL(address, 'http://localhost');
  const body = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
  return {
    method: /\/rest\/(\w+)(?:\.view)?$/.exec(url.pathname)?.[1] ?? '',
    http: request.method ?? '',
    address,
    parameters: { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(body) },
    headers: request.headers,
  };
}

function answerUsually(call: SubsonicCall, response: ServerResponse, options: FakeSubsonicOptions): void {
  const { method, parameters } = call;
  const {
    songAt = fakeSong,
    count = 10,
    accepts = 'salt',
    version = '1.16.1',
    file,
    cover,
    lyricsOf,
    playlists = [],
    wordsOf,
  } = options;
  const refusal = refusalOf(parameters, accepts);
  if (refusal !== null) return sendSubsonicError(response, refusal);
  if (method === 'ping') return sendSubsonic(response, {}, version);
  if (method === 'search3') {
    const [from, most] = [Number(parameters['songOffset'] ?? 0), Number(parameters['songCount'] ?? 20)];
    const song = Array.from({ length: Math.max(0, Math.min(most, count - from)) }, (_, at) => songAt(from + at));
    return sendSubsonic(response, { searchResult3: song.length === 0 ? {} : { song } });
  }
  if (method === 'getPlaylists') {
    const playlist = playlists.map(playlistFields);
    return sendSubsonic(response, { playlists: playlist.length === 0 ? {} : { playlist } });
  }
  const found = method === 'getPlaylist' && playlists.find(({ id }) => id === parameters['id']);
  if (found) {
    const entry = found.songs.map(songAt);
    return sendSubsonic(response, { playlist: { ...playlistFields(found), ...(entry.length > 0 && { entry }) } });
  }
  if (method === 'stream' && file !== undefined) return sendFile(call, response, file);
  if (method === 'getCoverArt' && cover !== undefined) {
    response.writeHead(200, { 'content-type': 'image/png' }).end(cover);
    return;
  }
  if (method === 'getOpenSubsonicExtensions' && lyricsOf !== undefined) {
    const openSubsonicExtensions = [
      { name: 'formPost', versions: [1] },
      { name: 'songLyrics', versions: [1] },
    ];
    return sendSubsonic(response, { openSubsonicExtensions });
  }
  if (method === 'getLyricsBySongId' && lyricsOf !== undefined) {
    return sendSubsonic(response, { lyricsList: { structuredLyrics: lyricsOf(parameters['id'] ?? '') } });
  }
  if (method === 'getLyrics') {
    const [artist, title] = [parameters['artist'] ?? '', parameters['title'] ?? ''];
    const value = wordsOf?.(artist, title);
    return sendSubsonic(response, { lyrics: value === undefined ? {} : { artist, title, value } });
  }
  sendSubsonicError(response, 70, 'Not found');
}

/** As Navidrome 0.63 answers: `public` stands there only where it is true. */
const playlistFields = ({ id, name, owner, isPublic, songs }: FakePlaylist): object => ({
  ...{ id, name, songCount: songs.length, duration: 180 * songs.length, ...(isPublic && { public: true }) },
  ...{ owner, created: '2026-01-02T03:04:05.000Z', changed: '2026-01-02T03:04:05.000Z' },
  ...{ coverArt: `pl-${id}_0`, readonly: false },
});

function refusalOf(given: SubsonicCall['parameters'], accepts: 'salt' | 'key'): number | null {
  if (accepts === 'key') return given['apiKey'] === undefined ? 42 : given['apiKey'] === fakeAccount.key ? null : 44;
  if (given['apiKey'] !== undefined) return 42;
  if (given['t'] === undefined) return 10;
  const hashed = createHash('md5')
    .update(`${fakeAccount.password}${given['s'] ?? ''}`)
    .digest('hex');
  return given['u'] === fakeAccount.user && given['t'] === hashed ? null : 40;
}

function sendFile({ headers }: SubsonicCall, response: ServerResponse, file: Buffer): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined) {
    response.writeHead(200, { 'content-type': 'audio/flac', 'content-length': file.length }).end(file);
    return;
  }
  const last = to === undefined || to === '' ? file.length - 1 : Math.min(Number(to), file.length - 1);
  const part = file.subarray(Number(from), last + 1);
  const range = `bytes ${from}-${String(last)}/${String(file.length)}`;
  response
    .writeHead(206, { 'content-type': 'audio/flac', 'content-length': part.length, 'content-range': range })
    .end(part);
}

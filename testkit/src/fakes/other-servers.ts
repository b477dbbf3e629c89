/**
 * How music servers answer that no test can start, each form with the thread of a tracker, or the document, that tells of
 * it. Their lists are of 16 tracks, two of each of the first artists, longer than an hour in all.
 */
import type { ServerResponse } from 'node:http';
import { sendSubsonic, sendSubsonicError, type SubsonicCall } from './fake-subsonic.ts';

const count = 16;
export interface OtherServer {
  readonly song: (at: number) => object;
  /** Answers in place of the usual answer when it returns true. */
  readonly answer: (call: SubsonicCall, response: ServerResponse) => boolean;
}

const songOf = (at: number) => ({
  ...{ id: String(at), isDir: false, title: `Song ${String(at)}`, album: `Album ${String(at)}`, duration: 290 },
  ...{ artist: `Artist ${String(at % 12)}`, track: at + 1, size: 9_000_000, suffix: 'flac', contentType: 'audio/flac' },
});
const page = (status: number, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><title>Not Found</title>');
const albums = ({ parameters }: SubsonicCall) =>
  parameters['offset'] === '0' ? Array.from({ length: count }, (_, at) => ({ id: at + 200_000_000 })) : [];

/**
 * - Ids are numbers with the kind in front (ampache#4209).
 * - A list of one is an object: PHP makes no list of one entry (ultrasonic#109, ampache#1651).
 * - A cover that is none is answered with 200 and no bytes (ampache#2557, sublime-music#270), though albums name it (#3149).
 */
const ampache: OtherServer = {
  song: (at) => ({ ...songOf(at), id: at + 300_000_000, coverArt: at + 200_000_000, year: 0 }),
  answer(call, response) {
    const { method, parameters } = call;
    const type = 'ampache';
    if (method === 'search3') sendSubsonic(response, { type, searchResult3: {} });
    else if (method === 'getAlbumList2') sendSubsonic(response, { type, albumList2: { album: albums(call) } });
    else if (method === 'getAlbum') {
      const song = ampache.song(Number(parameters['id']) - 200_000_000);
      sendSubsonic(response, { type, album: { id: parameters['id'], song } });
    } else if (method === 'getCoverArt') response.writeHead(200, { 'content-type': 'image/jpeg' }).end();
    else return false;
    return true;
  },
};

/**
 * - What it does not know is a page that is not found (ultrasonic#303, sonixd#135, sublime-music#306).
 * - Tracks that were uploaded without an ending have a blank suffix.
 */
const funkwhale: OtherServer = {
  song: (at) => ({ ...songOf(at), id: at + 3000, suffix: '', coverArt: `al-${String(at)}` }),
  answer({ method, parameters }, response) {
    const type = 'funkwhale';
    if (method === 'ping') sendSubsonic(response, { type, openSubsonic: undefined }, '1.16.0');
    else if (method === 'search3' && parameters['songOffset'] !== '0') sendSubsonic(response, { type });
    else if (!['search3', 'stream'].includes(method)) page(404, response);
    else return false;
    return true;
  },
};

/**
 * - Ids are digits as text (py-sonic#24); it names no kind of server, and finds nothing without a word.
 * - What is wrong with a cover is said with code 0, as JSON (ampache#2557, of Airsonic).
 * - Of a track that is gone it sends 200 and no bytes (airsonic-pulse#117).
 */
const airsonic: OtherServer = {
  song: (at) => ({ ...songOf(at), coverArt: String(at + 700) }),
  answer(call, response) {
    const { method, parameters } = call;
    const own = { type: undefined, openSubsonic: undefined };
    if (method === 'search3') sendSubsonic(response, { ...own, searchResult3: {} }, '1.15.0');
    else if (method === 'getAlbumList2')
      sendSubsonic(response, { ...own, albumList2: { album: albums(call) } }, '1.15.0');
    else if (method === 'getAlbum') {
      const song = [airsonic.song(Number(parameters['id']) - 200_000_000)];
      sendSubsonic(response, { ...own, album: { id: parameters['id'], song } }, '1.15.0');
    } else if (method === 'getCoverArt') sendSubsonicError(response, 0, 'For input string: "715"');
    else if (method === 'stream') response.writeHead(200, { 'content-type': 'application/octet-stream' }).end();
    else return false;
    return true;
  },
};

export const otherServers = { Ampache: ampache, Funkwhale: funkwhale, Airsonic: airsonic } as const;

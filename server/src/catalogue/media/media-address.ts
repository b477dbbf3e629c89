/**
 * Addresses under which a web server beside us (nginx, a CDN before it) sends files of the library: signed, bound to
 * one file, and expired after some hours. `deploy/nginx-media.conf` checks them, so both say the same words in the same
 * order.
 */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { bundledLibrary } from '../../paths.ts';

export interface MediaAddresses {
  /** Null for a file outside the folders, which our own route sends. `path` has every link resolved. */
  of(path: string): Promise<string | null>;
}

interface Settings {
  /** MEDIA_URL without a slash at its end, and MEDIA_SECRET. */
  readonly mediaHost: { readonly url: string; readonly secret: string } | null;
  readonly mediaDir: string | null;
  readonly dataDir: string;
}

/** All pages get the same address within an hour, so that caches keep it; a film that was begun then has six more. */
const sameWithinSeconds = 3600;
const lastsHours = 6;

/** Null without MEDIA_URL. `now` is in milliseconds. */
export function mediaAddressesOf({ mediaHost, mediaDir, dataDir }: Settings, now: () => number): MediaAddresses | null {
  if (mediaHost === null) return null;
  const { url, secret } = mediaHost;
  /** By the first folder of the address. */
  const folders = {
    library: mediaDir ?? bundledLibrary,
    'exact-copies': join(dataDir, 'exact-copies'),
    'subsonic-copies': join(dataDir, 'subsonic-copies'),
    'film-frames': join(dataDir, 'film-frames'),
  };
  const below = new URL(url).pathname.replace(/\/$/, '');
  return {
    async of(path) {
      for (const [name, folder] of Object.entries(folders)) {
        // It may be made later than the server starts.
        const root = await realpath(folder).catch(() => null);
        if (root === null || !path.startsWith(root + sep)) continue;
        const parts = [name, ...path.slice(root.length + 1).split(sep)];
        const hours = Math.floor(now() / 1000 / sameWithinSeconds) + 1 + lastsHours;
        const expires = String(hours * sameWithinSeconds);
        const signature = signatureOf([below, ...parts].join('/'), expires, secret);
        return `${new URL(url).origin}${below}/${parts.map(encode).join('/')}?md5=${signature}&expires=${expires}`;
      }
      return null;
    },
  };
}

/** MD5 is what nginx's own module computes. The secret at both ends leaves nothing to lengthen. */
function signatureOf(path: string, expires: string, secret: string): string {
  return createHash('md5').update(`${secret} ${expires} ${path} ${secret}`).digest('base64url');
}

/** Names are bytes to a disk: half a character pair has no address, and no file either. */
const encode = (part: string): string => encodeURIComponent(part.toWellFormed());

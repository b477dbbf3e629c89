/**
 * Holding a phone beside a page: with a key from its host's page a device without an account hears the bundled track that a
 * room plays, for a minute. Nothing is stored: the key names the room and its end, signed with a secret that the processes
 * of one database share. It opens no other track than those that come with the product.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { currentItem } from '@tunemate/playback';
import { type Result, roomCode, roomKinds, type RoomId, type RouteValue, type VideoId } from '@tunemate/protocol';
import type { FastifyInstance } from 'fastify';
import type { Limits } from '../access/limits.ts';
import type { Addresses } from '../http/address.ts';
import { sendRefusal } from '../http/answers.ts';
import { describePart, readRange, sendPastEnd } from '../http/byte-range.ts';
import type { RegisterRoute } from '../http/routes.ts';
import { bundledLibrary } from '../paths.ts';
import { readPlayback } from '../playback/playback-document.ts';
import { latestLiveRooms, roomById } from '../rooms/lifecycle/rooms-store.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { RoomRef } from '../storage/schema.ts';
import { sharedKey } from '../storage/settings.ts';
import { accept, type Clock, refuse } from '../system/ports.ts';

/** A minute to hear, and one more to find the camera. */
const keyLastsMs = 2 * 60_000;

/** A track of the library. */
interface Track {
  title: string;
  artist: string | null;
  durationSeconds: number | null;
  mime: string;
  path: string;
}

interface BesideDeps {
  record: Pick<StreamRecord, 'db'>;
  clock: Clock;
  limits: Limits;
  addresses: Pick<Addresses, 'networkOf'>;
  library: { byId(id: VideoId): Track | null };
}

/** `http` serves the bytes, `register` the two requests of protocol/src/beside.ts. */
export function besideRoutes(http: FastifyInstance, register: RegisterRoute, deps: BesideDeps): void {
  const { record, clock, limits, addresses, library } = deps;
  const { db } = record;
  const keys = signedKeys(() => sharedKey(db, 'beside-key'));

  async function heardIn(room: RoomRef) {
    const stored = (await roomById(db, room))?.isActive === true ? await readPlayback(db, room) : null;
    const videoId = (stored && currentItem(stored.playback.queue)?.videoId) ?? null;
    const track = videoId && library.byId(videoId);
    if (!stored || !videoId || !track?.path.startsWith(bundledLibrary + sep)) return null;
    return { videoId, track, timeline: stored.playback.timeline };
  }

  async function withKey(key: string) {
    const room = await keys.read(key, clock.now());
    return room && (await heardIn(room));
  }

  register('POST /api/beside', async ({ session: { uid } }, { kind, code }) => {
    const read = roomCode.safeParse(code);
    const [room] = read.success ? await latestLiveRooms(db, kind, read.data) : [];
    if (room?.host !== uid || (await heardIn(room)) === null) return refuse('access/not-found');
    const untilMs = clock.now() + keyLastsMs;
    return accept({ key: await keys.make(room, untilMs), untilMs });
  });

  register('GET /api/beside', async (_, { key }): Promise<Result<RouteValue<'GET /api/beside'>>> => {
    const serverReceivedMs = clock.preciseNow();
    const heard = await withKey(key);
    if (heard === null) return refuse('access/not-found');
    const { videoId, track, timeline } = heard;
    const { revision, isPlaying, positionSeconds, atServerMs } = timeline;
    return accept({
      track: { videoId, title: track.title, artist: track.artist, durationSeconds: track.durationSeconds },
      timeline: { revision, isPlaying, positionSeconds, atServerMs },
      ...{ serverReceivedMs, serverSentMs: clock.preciseNow() },
    });
  });

  http.get<{ Params: { key: string } }>('/beside/:key/track', async (request, reply) => {
    const taken = await limits.take('beside', addresses.networkOf(request.raw));
    if (!taken.ok) return sendRefusal(reply, taken);
    const heard = await withKey(request.params.key);
    if (heard === null) return sendRefusal(reply, refuse('access/not-found'));
    const { path, mime } = heard.track;
    const { size } = await stat(path);
    const asked = readRange(request.headers.range, size);
    if (asked.type === 'unsatisfiable') return sendPastEnd(reply, size);
    const { first, last } = describePart(reply, { size, part: asked.type === 'part' ? asked.range : null });
    reply.headers({ 'accept-ranges': 'bytes', 'cache-control': 'private, no-store' });
    return reply.type(mime).send(createReadStream(path, { start: first, end: last }));
  });
}

/** Keys that name a room and when they end. Each is of no use for anything else, and made by no one without the secret. */
function signedKeys(readSecret: () => Promise<string>) {
  let secret: Promise<string> | null = null;
  async function signatureOf(text: string): Promise<string> {
    secret ??= readSecret();
    const now = secret;
    now.catch(() => (secret = null));
    return createHmac('sha256', await now)
      .update(text)
      .digest('base64url')
      .slice(0, 22);
  }
  return {
    async make({ kind, roomId }: RoomRef, untilMs: number): Promise<string> {
      const text = `${kind}.${roomId}.${untilMs.toString(36)}`;
      return `${text}.${await signatureOf(text)}`;
    },
    /** Null for a key that was not made here, or whose time is over. */
    async read(key: string, nowMs: number): Promise<RoomRef | null> {
      const [kindName, roomId, until, signature, ...more] = key.split('.');
      const kind = roomKinds.find((each) => each === kindName);
      if (!kind || !roomId || !until || !signature || more.length > 0) return null;
      const [own, given] = [Buffer.from(await signatureOf(`${kind}.${roomId}.${until}`)), Buffer.from(signature)];
      const isOwn = own.length === given.length && timingSafeEqual(own, given);
      return isOwn && Number.parseInt(until, 36) > nowMs ? { kind, roomId: roomId as RoomId } : null;
    },
  };
}

/**
 * Saved queues as files that other players read, and such files as saved queues. Nothing of a file is stored but the
 * tracks that it names; whose queue it is decides the service of saved queues.
 */
import { readM3u8, writeM3u8 } from '@tunemate/domain';
import {
  clientId,
  type NamedTrack,
  type QueueFromFile,
  queueFileBytes,
  queueName,
  type Result,
  type RoomKind,
  roomKind,
  type Uid,
  type Value,
} from '@tunemate/protocol';
import type { FastifyPluginCallback } from 'fastify';
import { z } from 'zod';
import { createSlots } from '../../access/slots.ts';
import { sendRefusal } from '../../http/answers.ts';
import { type AdmitFile, holdSlot, takeOnly } from '../../http/routes.ts';
import { accept, refuse } from '../../system/ports.ts';
import { decodedText } from '../library/text-encoding.ts';
import { linesOf, nameOfLine, type PlaylistSources, tracksOfLines } from './playlist-tracks.ts';

/** Tracks as a person saves them. */
export interface KeptTracks {
  clientId: string;
  kind: RoomKind;
  name: string;
  tracks: readonly NamedTrack[];
}

interface PlaylistRoutesDeps extends PlaylistSources {
  queues: {
    /** Refuses who may not read it. */
    whole(uid: Uid, queueId: string): Promise<Result<{ name: string; tracks: readonly NamedTrack[] }>>;
    keep(uid: Uid, kept: KeptTracks): Promise<Result<Value<'queues/save'>>>;
  };
  publicUrl: () => string;
  admitFile: AdmitFile;
}

/** As many as a room keeps of what it played. */
const mostTracks = 500;
const fileType = 'audio/x-mpegurl';
const asked = z.object({ kind: roomKind, name: queueName, clientId });

export function playlistRoutes(deps: PlaylistRoutesDeps): FastifyPluginCallback {
  const { queues, library, publicUrl, admitFile } = deps;
  return (http, _options, done) => {
    takeOnly(http, [fileType]);
    const reading = admitFile('GET /api/queues/:queueId/m3u8');
    http.route({
      method: 'GET',
      url: '/api/queues/:queueId/m3u8',
      exposeHeadRoute: false,
      onRequest: reading.onRequest,
      handler: async (request, reply) => {
        const { queueId } = request.params as { queueId: string };
        const { uid } = reading.callerOf(request).session;
        const found = await reading.inTurn(request, () => queues.whole(uid, queueId));
        if (!found.ok) return sendRefusal(reply, found);
        const { name, tracks } = found.value;
        return reply
          .headers({ 'content-disposition': attachment(name), 'cache-control': 'no-store' })
          .type(`${fileType}; charset=utf-8`)
          .send(writeM3u8(name, linesOf(tracks, { library }, publicUrl())));
      },
    });
    const writing = admitFile('POST /api/queues/m3u8');
    const slots = createSlots({ perKey: 1 });
    http.route({
      method: 'POST',
      url: '/api/queues/m3u8',
      bodyLimit: queueFileBytes,
      onRequest: [
        writing.onRequest,
        (request, reply, next) => {
          holdSlot(slots, writing.callerOf(request).session.uid, reply);
          next();
        },
      ],
      handler: async (request, reply) => {
        const query = asked.safeParse(request.query);
        const { body } = request;
        if (!Buffer.isBuffer(body) || !query.success) return sendRefusal(reply, refuse('input/invalid'));
        const { uid } = writing.callerOf(request).session;
        const read = await writing.inTurn(request, () => saveFile(deps, uid, query.data, body));
        return read.ok ? reply.send(read) : sendRefusal(reply, read);
      },
    });
    done();
  };
}

async function saveFile(
  { queues, ...sources }: PlaylistRoutesDeps,
  uid: Uid,
  { kind, name, clientId: id }: z.infer<typeof asked>,
  bytes: Uint8Array,
): Promise<Result<QueueFromFile>> {
  const lines = readM3u8(decodedText(bytes, null), mostTracks);
  if (lines === null) return accept({ outcome: 'too-many', found: 0, missing: [] });
  const found = await tracksOfLines(lines, kind, sources);
  const tracks = found.filter((track) => track !== null);
  const missing = lines.filter((_, at) => found[at] === null).map(nameOfLine);
  if (tracks.length === 0) return accept({ outcome: 'nothing', found: 0, missing });
  const kept = await queues.keep(uid, { clientId: id, kind, name, tracks });
  return kept.ok ? accept({ outcome: kept.value.outcome, found: tracks.length, missing }) : kept;
}

/** By two names: the second one is for what plain letters can't write. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w .,()-]/gu, '_');
  const escaped = encodeURIComponent(name).replaceAll(/['()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}.m3u8"; filename*=UTF-8''${escaped}.m3u8`;
}

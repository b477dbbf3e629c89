/** The routes for voice messages: raw bytes up, MP4 down, whole or in parts. The service decides who may hear one. */
import { limits } from '@tunemate/protocol';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { sendRefusal } from '../../http/answers.ts';
import { describePart, type FilePart, sendPastEnd } from '../../http/byte-range.ts';
import { type AdmitFile, createFileSlots } from '../../http/routes.ts';
import { refuse } from '../../system/ports.ts';
import { takeUploads } from '../uploads/upload-route.ts';
import type { VoicesService } from './voices.ts';

const takenTypes = ['audio/webm', 'audio/ogg', 'audio/mp4'];
/** Sent to one user at once: a page plays one, and each holds a file open. */
const playedAtOnce = 8;
/** A recording never changes. Private: shared caches must not send it to other users. */
const cacheControl = 'private, max-age=86400, immutable';

interface VoicesRoutesDeps {
  voices: VoicesService;
  admitFile: AdmitFile;
}

/** `POST /api/chats/voices?with=` takes the bytes as its body; `GET …/:voiceId` sends the sound. */
export function voicesRoutes({ voices, admitFile }: VoicesRoutesDeps): FastifyPluginCallback {
  return (http, _options, done) => {
    const { upload, locate } = voices;
    takeUploads(http, { name: 'POST /api/chats/voices', takenTypes, bodyLimit: limits.voiceBytes, admitFile, upload });
    const hold = createFileSlots(playedAtOnce);
    const authorize = admitFile('GET /api/chats/voices/:voiceId');
    http.route({
      method: 'GET',
      url: '/api/chats/voices/:voiceId',
      onRequest: authorize.onRequest,
      handler: async (request, reply) => {
        const caller = authorize.callerOf(request);
        hold(caller, reply);
        const found = await locate(caller.session.uid, (request.params as { voiceId: string }).voiceId);
        if (!found.ok) return sendRefusal(reply, found);
        const file = await found.value(request.headers.range);
        if (file === null) return sendRefusal(reply, refuse('access/not-found'));
        reply.headers({ 'cache-control': cacheControl, vary: 'cookie', 'accept-ranges': 'bytes' });
        return sendSound(file, reply);
      },
    });
    done();
  };
}

function sendSound(sound: FilePart, reply: FastifyReply): FastifyReply {
  if (sound.bytes === null) return sendPastEnd(reply, sound.size);
  describePart(reply, sound);
  return reply.type('audio/mp4').send(sound.bytes);
}

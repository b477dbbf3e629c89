/** Takes what is uploaded for a chat: raw bytes as the body, of one of some types. */
import { uid, type Result, type Uid } from '@tunemate/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FileRouteName } from '../../access/files.ts';
import { createSlots, type FreeSlot } from '../../access/slots.ts';
import { sendRefusal } from '../../http/answers.ts';
import { type AdmitFile, takeOnly, throwIfRefused } from '../../http/routes.ts';
import { refuse } from '../../system/ports.ts';

/** Of one user; the bytes of all bodies are bounded, and networks take turns at decoding. */
const uploadsAtOnce = { perKey: 2 };

interface UploadRoute {
  name: Extract<FileRouteName, `POST ${string}`>;
  takenTypes: readonly string[];
  bodyLimit: number;
  admitFile: AdmitFile;
  upload: (from: Uid, to: Uid, bytes: Uint8Array, network: string) => Promise<Result<unknown>>;
}

/** `?with=` names the other person. The types are those of every route of `http`. */
export function takeUploads(
  http: FastifyInstance,
  { name, takenTypes, bodyLimit, admitFile, upload }: UploadRoute,
): void {
  takeOnly(http, takenTypes);
  const { onRequest, callerOf, inTurn } = admitFile(name);
  const slots = createSlots(uploadsAtOnce);
  /** By request, until its handler runs: from then on the handler holds the slot. */
  const held = new WeakMap<FastifyRequest, FreeSlot>();

  http.route({
    method: 'POST',
    url: name.slice('POST '.length),
    bodyLimit,
    onRequest: [
      onRequest,
      // Before the body is read, because bodies that wait are kept in memory.
      (request, reply, next) => {
        const slot = slots.take(callerOf(request).session.uid);
        throwIfRefused(slot);
        if (slot.ok) held.set(request, slot.value);
        reply.raw.once('close', () => held.get(request)?.());
        next();
      },
    ],
    handler: async (request, reply) => {
      const leave = held.get(request);
      // A client that disconnects keeps its slot until what it sent is decoded.
      held.delete(request);
      try {
        const other = uid.safeParse((request.query as { with?: unknown }).with);
        const { body } = request;
        if (!Buffer.isBuffer(body)) return sendRefusal(reply, refuse('input/invalid'));
        if (!other.success) return sendRefusal(reply, refuse('access/not-found'));
        const { session, network } = callerOf(request);
        const outcome = await inTurn(request, () => upload(session.uid, other.data, body, network));
        return outcome.ok ? reply.send(outcome) : sendRefusal(reply, outcome);
      } finally {
        leave?.();
      }
    },
  });
}

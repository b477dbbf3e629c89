/**
 * Holds a slot while a request is answered: released when the answer is sent or the client has disconnected.
 */
import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FreeSlot, Slots } from '../access/slots.ts';
import { RefusedRequest } from './answers.ts';

/** Refuses the request when no slot is free. The slot can be released earlier. */
export function holdSlot(slots: Slots, person: string, reply: FastifyReply): FreeSlot {
  const slot = slots.take(person);
  if (!slot.ok) throw new RefusedRequest(slot);
  finished(reply.raw, () => slot.value());
  return slot.value;
}

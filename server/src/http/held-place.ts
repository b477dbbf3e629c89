/**
 * Holds a place while a request is answered: released when the answer is sent or the client has disconnected.
 */
import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { LeavePlace, Places } from '../access/places.ts';
import { RefusedRequest } from './answers.ts';

/** Refuses the request when no place is free. The place can be released earlier. */
export function holdPlace(places: Places, person: string, reply: FastifyReply): LeavePlace {
  const place = places.take(person);
  if (!place.ok) throw new RefusedRequest(place);
  finished(reply.raw, () => place.value());
  return place.value;
}

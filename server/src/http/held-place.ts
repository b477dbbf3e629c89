/**
 * A place for as long as a request is answered: given back when the answer is out, or whoever asked is gone.
 */
import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { LeavePlace, Places } from '../access/places.ts';
import { RefusedRequest } from './answers.ts';

/** Ends the request with a refusal when no place is free. The place can be given back earlier. */
export function holdPlace(places: Places, person: string, reply: FastifyReply): LeavePlace {
  const place = places.take(person);
  if (!place.ok) throw new RefusedRequest(place);
  finished(reply.raw, () => place.value());
  return place.value;
}

/** Which service answers which request about tunemates. */
import type { Handlers } from '../realtime/caller.ts';
import type { TunematesService } from './tunemates-service.ts';

export function tunematesHandlers(service: TunematesService) {
  return { 'tunemates/remove': service.remove } satisfies Partial<Handlers>;
}

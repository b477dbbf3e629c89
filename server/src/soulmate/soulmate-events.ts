/** Which service answers which request about soulmates. */
import type { Handlers } from '../realtime/caller.ts';
import type { SoulmateService } from './soulmate-service.ts';

export function soulmateHandlers(service: SoulmateService) {
  return {
    'soulmate/ask': service.ask,
    'soulmate/accept': service.accept,
    'soulmate/decline': service.decline,
    'soulmate/part': service.part,
  } satisfies Partial<Handlers>;
}

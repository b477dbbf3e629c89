/**
 * Removing a tunemate: from both lists, on both sides.
 */
import type { Handlers } from '../access/subjects.ts';
import { accept, refuse } from '../system/ports.ts';
import { disconnect } from './tunemate-lists.ts';

export function tunematesService() {
  return {
    handlers: {
      'tunemates/remove': ({ caller, other, write }) =>
        write([], async (writing) =>
          (await disconnect(writing, caller.uid, other)) ? accept({}) : refuse('access/not-found'),
        ),
    } satisfies Partial<Handlers>,
  };
}

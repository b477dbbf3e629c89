/** Attempts at one thing: pressed again after a lost answer, it is applied once. */
import type { ClientId, Result } from '@tunemate/protocol';
import { newClientId } from './ids.ts';

type Attempt = <Value>(
  of: readonly unknown[],
  ask: (clientId: ClientId) => Promise<Result<Value>>,
) => Promise<Result<Value>>;

/** Asks under the id of the last attempt while that was at the same thing and the server did not answer it. */
export function attempts(): Attempt {
  let unanswered: { readonly of: string; readonly clientId: ClientId } | null = null;
  return async (thing, ask) => {
    const of = JSON.stringify(thing);
    if (unanswered?.of !== of) unanswered = { of, clientId: newClientId() };
    const answer = await ask(unanswered.clientId);
    if (answer.ok || !answer.error.code.startsWith('server/')) unanswered = null;
    return answer;
  };
}

/** For addresses that serve files: lets only those pass who are signed in with a verified address. */
import type { onRequestAsyncHookHandler } from 'fastify';
import type { SessionOfCookie } from '../access/session.ts';
import { refuse } from '../ports.ts';
import { sendRefusal } from './answers.ts';

export function requireUser(sessionOfCookie: SessionOfCookie): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { status } = await sessionOfCookie(request.headers.cookie);
    if (status === 'signed-out') await sendRefusal(reply, refuse('auth/required'));
    else if (status === 'unverified') await sendRefusal(reply, refuse('auth/email-unverified'));
  };
}

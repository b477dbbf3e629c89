/**
 * What a person has heard, sent on to ListenBrainz or another server of its API. The person enters a token of theirs
 * there, which no answer holds.
 */
import { z } from 'zod';
import { route } from './wire/request.ts';

const nothing = z.strictObject({});

/** Visible ASCII, because it becomes a header. */
const listensToken = z
  .string()
  .max(400)
  .transform((typed) => typed.trim())
  .refine((token) => /^[\x21-\x7e]{1,200}$/.test(token));

/** 'off': the operator sends no listens. */
export const listensState = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('off') }),
  z.strictObject({ status: z.literal('disconnected'), server: z.string() }),
  z.strictObject({
    status: z.literal('connected'),
    /** The host's name. */
    server: z.string(),
    /** The account there. */
    name: z.string(),
    /** The server takes the token no more: nothing is sent until another one is entered. */
    isRefused: z.boolean(),
    /** Listens that are not sent yet. */
    waiting: z.number().int().min(0),
  }),
]);
export type ListensState = z.infer<typeof listensState>;

export const listensRoutes = {
  'GET /api/listens': route({
    may: 'read whether their listens go to ListenBrainz',
    session: 'verified',
    limit: 'general',
    payload: nothing,
    value: listensState,
  }),
  /** Asks the server whose token this is, and sends listens from then on. 'refused' and 'unreachable' change nothing. */
  'POST /api/listens/connect': route({
    may: 'connect their own ListenBrainz account',
    session: 'verified',
    limit: 'listens',
    payload: z.strictObject({ token: listensToken }),
    value: z.strictObject({ outcome: z.enum(['connected', 'refused', 'unreachable']), state: listensState }),
  }),
  /** Deletes the token and what waits. */
  'POST /api/listens/disconnect': route({
    may: 'disconnect their own ListenBrainz account',
    session: 'verified',
    limit: 'listens',
    payload: nothing,
    value: listensState,
  }),
} as const;

/**
 * The people who run a server, and what they do from their home page: they let people in while no mail server is set,
 * and hand over the link to a new password. All of it over HTTP.
 */
import { z } from 'zod';
import { limits } from './wire/limits.ts';
import { route } from './wire/request.ts';

const nothing = z.strictObject({});
const waitId = z.string().min(1).max(64);

/**
 * Who waits for an operator: a sign-up (`sign-up`), one with the address of an account (`known`), or a person who
 * forgot their password (`reset`). `number` is what the page of a sign-up shows, to compare by voice.
 */
export const waitingPerson = z.strictObject({
  id: waitId,
  kind: z.enum(['sign-up', 'known', 'reset']),
  name: z.string(),
  email: z.string(),
  number: z.number().int().nullable(),
  at: z.number(),
});
export type WaitingPerson = z.infer<typeof waitingPerson>;

export const operatorRoutes = {
  /** `isNew`: their page has not said yet that they run this server. With a mail server no person waits. */
  'GET /api/operator': route({
    may: 'read who waits for them while no mail server is set',
    session: 'operator',
    limit: 'general',
    payload: nothing,
    value: z.strictObject({ isNew: z.boolean(), waiting: z.array(waitingPerson).max(limits.waitingForOperators) }),
  }),
  'POST /api/operator/told': route({
    may: 'take away the notice that they run this server',
    session: 'operator',
    limit: 'general',
    payload: nothing,
    value: nothing,
  }),
  'POST /api/operator/let-in': route({
    may: 'take the address of a sign-up as verified, on their word',
    session: 'operator',
    limit: 'general',
    payload: z.strictObject({ id: waitId }),
    value: nothing,
  }),
  /** Without an id: all who wait. */
  'POST /api/operator/refuse': route({
    may: 'end a sign-up that waits for them, take away a forgotten password, or all that waits',
    session: 'operator',
    limit: 'general',
    payload: z.strictObject({ id: waitId.optional() }),
    value: nothing,
  }),
  /** The page that asked for a new password never gets the link. */
  'POST /api/operator/reset-link': route({
    may: 'get the link to a new password, to hand it over to the person who forgot theirs',
    session: 'operator',
    limit: 'general',
    payload: z.strictObject({ id: waitId }),
    value: z.strictObject({ link: z.string() }),
  }),
  /** Works once on a server that has no operator. */
  'POST /api/accounts/run-server': route({
    may: 'become the first operator, with the code of the log of the server',
    session: 'none',
    limit: 'verify',
    payload: z.strictObject({ ticket: z.string().max(100), code: z.string().max(40) }),
    value: nothing,
  }),
} as const;

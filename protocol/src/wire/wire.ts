/**
 * The one protocol: all socket requests and all events the server sends, as unions of what each feature declares.
 */
import type { z } from 'zod';
import { accountRoutes } from '../accounts.ts';
import { besideRoutes } from '../beside.ts';
import { catalogueRequests } from '../catalogue.ts';
import { chatRequests } from '../chats.ts';
import type { Refusal } from './errors.ts';
import { libraryRequests } from '../library.ts';
import { notificationRequests } from '../notifications.ts';
import { operatorRoutes } from '../operators.ts';
import { playbackRequests } from '../playback.ts';
import { listensRoutes } from '../listens.ts';
import { pushRoutes } from '../push.ts';
import { queueRequests } from '../rooms/queues.ts';
import { reportRequests } from '../reports.ts';
import { roomRequests } from '../rooms/rooms.ts';
import { sessionRequests } from '../session.ts';
import { musicRequests } from '../music.ts';
import { soulmateRequests } from '../soulmate.ts';
import type { Entries, EphemeralEvent } from './streams.ts';
import { tunemateRequests } from '../tunemates.ts';
import { presenceRequests } from '../presence.ts';

export const socketRequests = {
  ...sessionRequests,
  ...playbackRequests,
  ...roomRequests,
  ...catalogueRequests,
  ...libraryRequests,
  ...tunemateRequests,
  ...presenceRequests,
  ...soulmateRequests,
  ...musicRequests,
  ...notificationRequests,
  ...chatRequests,
  ...queueRequests,
  ...reportRequests,
} as const;

export const httpRequests = {
  ...accountRoutes,
  ...operatorRoutes,
  ...pushRoutes,
  ...listensRoutes,
  ...besideRoutes,
} as const;

export type RequestName = keyof typeof socketRequests;
/** The payload as it is sent, before the schema trims and brands it. */
export type PayloadInput<Name extends RequestName> = z.input<(typeof socketRequests)[Name]['payload']>;
/** The payload as a handler receives it, checked. */
export type Payload<Name extends RequestName> = z.output<(typeof socketRequests)[Name]['payload']>;
export type Value<Name extends RequestName> = z.output<(typeof socketRequests)[Name]['value']>;

export type RouteName = keyof typeof httpRequests;
export type RoutePayloadInput<Name extends RouteName> = z.input<(typeof httpRequests)[Name]['payload']>;
export type RoutePayload<Name extends RouteName> = z.output<(typeof httpRequests)[Name]['payload']>;
export type RouteValue<Name extends RouteName> = z.output<(typeof httpRequests)[Name]['value']>;

/** What the server sends unasked. */
export interface ServerEvents {
  /** Changes of a stream that this connection is subscribed to. */
  entries: Entries;
  ephemeral: EphemeralEvent;
  /** Why the server closes the connection; the last event on it. */
  goodbye: Refusal;
}

/**
 * Which HTTP status each code is sent with. The code is the message; the status is for proxies and logs.
 */
import type { ErrorCode } from '@tunemate/protocol';

export const statusOf: Record<ErrorCode, number> = {
  'auth/required': 401,
  'auth/email-unverified': 403,
  'auth/already-verified': 409,
  'auth/invalid-credentials': 401,
  'auth/code-invalid': 410,
  'auth/password-weak': 422,
  'access/forbidden': 403,
  'access/not-found': 404,
  'access/cross-site': 403,
  'room/not-found': 404,
  'room/not-member': 403,
  'room/host-only': 403,
  'room/ended': 410,
  'room/full': 409,
  'room/too-many-requests-pending': 429,
  'room/request-resolved': 409,
  'room/declined-for-good': 403,
  'room/too-many-live-rooms': 409,
  'playback/lease-lost': 409,
  'soulmate/taken': 409,
  'soulmate/self-taken': 409,
  'chat/first-contact-limit': 429,
  'input/invalid': 422,
  'input/too-large': 413,
  'input/conflict': 409,
  'input/unsupported': 415,
  'limit/too-many': 429,
  'server/busy': 503,
  'server/storage-full': 507,
  'server/unavailable': 503,
  'server/failed': 500,
  'client/outdated': 409,
};

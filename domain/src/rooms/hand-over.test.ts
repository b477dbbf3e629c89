import { limits, type Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { refusalToTakeOver } from './membership.ts';

const [ada, ivo] = ['a'.repeat(22) as Uid, 'i'.repeat(22) as Uid];
const offer = { to: ada, untilMs: 60_000, leaves: false };

test.each([
  ['the person asked, in time', { offer, uid: ada, liveRooms: 0, nowMs: 59_999 }, null],
  ['there is no offer', { offer: null, uid: ada, liveRooms: 0, nowMs: 0 }, 'room/offer-over'],
  ['another person was asked', { offer, uid: ivo, liveRooms: 0, nowMs: 0 }, 'room/offer-over'],
  ['a minute has passed', { offer, uid: ada, liveRooms: 0, nowMs: 60_000 }, 'room/offer-over'],
  [
    'they host five rooms',
    { offer, uid: ada, liveRooms: limits.liveRoomsPerHost, nowMs: 0 },
    'room/too-many-live-rooms',
  ],
])('taking a room over when %s (ORDER-2)', (_when, facts, refusal) => {
  expect(refusalToTakeOver(facts)).toBe(refusal);
});

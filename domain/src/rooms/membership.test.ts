import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admissions, limits, type RoomNeed, type Uid } from '@tunemate/protocol';
import {
  answered,
  decideAnswer,
  decideAsk,
  isDeclinedForGood,
  ownStatusOf,
  refusalFor,
  type RequestFact,
  type Role,
  roleOf,
  comesInByThemselves,
  refusalToTakeOver,
} from './membership.ts';

const me = 'me' as Uid;
const host = 'host' as Uid;
/** In plain numbers, so that the tests do not share the constants they check. */
const minutesMs = (minutes: number): number => minutes * 60_000;
const askedAtMs = 1_000_000;
const request = (status: RequestFact['status'], more: Partial<RequestFact> = {}): RequestFact => ({
  status,
  askedAtMs,
  renewedAtMs: askedAtMs,
  answeredAtMs: status === 'pending' ? null : askedAtMs + 1000,
  timesDeclined: status === 'rejected' ? 1 : 0,
  ...more,
});
const everyStatus = ['pending', 'accepted', 'rejected', 'withdrawn', 'lapsed'] as const;

describe('a role in a room', () => {
  const role = (uid: Uid, isMember: boolean, fact: RequestFact | null, nowMs = askedAtMs + 1): Role =>
    roleOf({ host, isActive: true }, uid, isMember, fact, nowMs);

  test('a host and a participant keep their role, whatever became of their request (JOIN-2)', () => {
    for (const fact of [null, ...everyStatus.map((status) => request(status))]) {
      expect([role(host, true, fact), role(host, false, fact), role(me, true, fact)]).toEqual([
        'host',
        'host',
        'participant',
      ]);
    }
  });

  test.each([
    ['pending', 'pending'],
    ['rejected', 'rejected'],
    ['accepted', 'stranger'],
    ['withdrawn', 'stranger'],
    ['lapsed', 'stranger'],
  ] as const)('without a membership, a person whose request is %s is %s (JOIN-1)', (status, expected) => {
    expect(role(me, false, request(status))).toBe(expected);
  });

  test('a person without a request is a stranger (JOIN-1)', () => {
    expect(role(me, false, null)).toBe('stranger');
  });

  test('a request that was not renewed for a minute is not pending, however old it is (JOIN-9)', () => {
    const after = (ms: number, renewedAtMs = askedAtMs) =>
      role(me, false, request('pending', { renewedAtMs }), renewedAtMs + ms);
    expect([after(59_999), after(60_000)]).toEqual(['pending', 'stranger']);
    expect(after(59_999, askedAtMs + minutesMs(600))).toBe('pending');
  });
});

describe('what a role may do', () => {
  const roles = ['host', 'participant', 'pending', 'rejected', 'stranger'] as const;

  test.each([
    ['requester', 'live', ['room/not-found', null, null, null, 'room/not-found']],
    ['member', 'live', [null, null, 'room/not-member', 'room/not-member', 'room/not-member']],
    ['remote', 'live', [null, 'room/host-only', 'room/not-member', 'room/not-member', 'room/not-member']],
    ['host', 'live', [null, 'room/host-only', 'room/not-member', 'room/not-member', 'room/not-member']],
    ...(['requester', 'member', 'remote', 'host'] as const).map((need) => {
      const gone = ['room/ended', 'room/ended', 'room/ended', 'room/not-found', 'room/not-found'] as const;
      return [need, 'ended', gone] as const;
    }),
  ] as const satisfies (readonly [RoomNeed, string, readonly (string | null)[]])[])(
    'what only a %s may do in a room that is %s is refused to the others',
    (need, state, expected) => {
      expect(roles.map((role) => refusalFor(need, role, state === 'live'))).toEqual(expected);
    },
  );
});

test('a removed person learns of the removal in a live room; an ended room does not exist for them (ORDER-10)', () => {
  for (const need of ['member', 'host'] as const) {
    expect([refusalFor(need, 'removed', true), refusalFor(need, 'removed', false)]).toEqual([
      ...['room/removed', 'room/not-found'],
    ]);
  }
});

describe('asking', () => {
  const asking = {
    role: 'stranger',
    request: null,
    comesIn: false,
    invitedAtMs: null,
    isLocked: false,
    participants: 1,
    most: 1000,
    pending: 0,
    nowMs: askedAtMs + minutesMs(1),
  } as const;

  test.each([
    ['JOIN-2 takes a host straight in', { role: 'host' }, { type: 'member' }],
    [
      'JOIN-2 takes a participant straight in, also when the room is full',
      { role: 'participant', participants: 1000 },
      { type: 'member' },
    ],
    ['JOIN-1 changes nothing for a pending request', { role: 'pending', pending: 200 }, { type: 'same' }],
    ['JOIN-1 leaves a request', {}, { type: 'ask' }],
    ['JOIN-1 leaves the last request that a room takes', { pending: 199, participants: 999 }, { type: 'ask' }],
    ['JOIN-1 is refused by a full room', { participants: 1000 }, { type: 'refuse', code: 'room/full' }],
    ['JOIN-1 goes on where the operator allows more', { participants: 9999, most: 10_000 }, { type: 'ask' }],
    [
      'JOIN-1 is refused where the operator allows fewer',
      { participants: 20, most: 20 },
      { type: 'refuse', code: 'room/full' },
    ],
    ['JOIN-1 is refused where 200 wait', { pending: 200 }, { type: 'refuse', code: 'room/too-many-requests-pending' }],
    [
      'JOIN-6 is open again after withdrawing',
      { request: request('withdrawn', { timesDeclined: 4 }) },
      { type: 'ask' },
    ],
    ['JOIN-9 is open again after lapsing', { request: request('lapsed') }, { type: 'ask' }],
    ['DOOR-2 admits a person who needs no approval', { comesIn: true, pending: 200 }, { type: 'admit' }],
    [
      'DOOR-2 admits a pending requester who no longer needs approval',
      { role: 'pending', comesIn: true },
      { type: 'admit' },
    ],
    [
      'DOOR-2 admits no person to a full room',
      { comesIn: true, participants: 1000 },
      { type: 'refuse', code: 'room/full' },
    ],
    [
      'DOOR-2 keeps a pending request while the room is full',
      { role: 'pending', comesIn: true, participants: 1000 },
      { type: 'same' },
    ],
  ] as const)('%s', (_, facts, expected) => {
    expect(decideAsk({ ...asking, ...facts })).toEqual(expected);
  });

  test('a declined requester gets the time to wait, up to 30 s after the answer (JOIN-5)', () => {
    const declined = request('rejected', { answeredAtMs: askedAtMs });
    const after = (ms: number) => decideAsk({ ...asking, role: 'rejected', request: declined, nowMs: askedAtMs + ms });
    expect(after(0)).toEqual({ type: 'refuse', code: 'limit/too-many', retryAfterMs: 30_000 });
    expect(after(29_999)).toEqual({ type: 'refuse', code: 'limit/too-many', retryAfterMs: 1 });
    expect(after(30_000)).toEqual({ type: 'ask' });
  });

  test('a decline also binds people who need no approval, unless the host invited them since (DOOR-3)', () => {
    const declined = request('rejected', { answeredAtMs: askedAtMs, timesDeclined: 5 });
    const ask = (invitedAtMs: number | null, comesIn = true) =>
      decideAsk({ ...asking, role: 'rejected', request: declined, comesIn, invitedAtMs }).type;
    expect([ask(null), ask(askedAtMs), ask(askedAtMs + 1), ask(askedAtMs + 1, false)]).toEqual([
      'refuse',
      'refuse',
      'admit',
      'refuse',
    ]);
  });

  test('the fifth decline is for good, however long ago it was (JOIN-5)', () => {
    const declined = (times: number) => request('rejected', { timesDeclined: times });
    const ask = (times: number) => decideAsk({ ...asking, role: 'rejected', request: declined(times) });
    expect([ask(4), ask(5), ask(6)]).toEqual([
      { type: 'ask' },
      { type: 'refuse', code: 'room/declined-for-good' },
      { type: 'refuse', code: 'room/declined-for-good' },
    ]);
  });

  test('declines count while the last answer is a decline, and are never forgotten (JOIN-8)', () => {
    const answers = fc.array(fc.constantFrom('accepted' as const, 'rejected' as const), { minLength: 1 });
    fc.assert(
      fc.property(answers, (all) => {
        const after = all.reduce((fact, answer, index) => answered(fact, answer, index), request('pending'));
        const declines = all.filter((answer) => answer === 'rejected').length;
        expect(after).toEqual({
          status: all.at(-1),
          askedAtMs,
          renewedAtMs: askedAtMs,
          answeredAtMs: all.length - 1,
          timesDeclined: declines,
        });
        expect(isDeclinedForGood(after)).toBe(all.at(-1) === 'rejected' && declines >= 5);
      }),
    );
  });
});

describe('answering', () => {
  const waiting = { isMember: false, request: request('pending'), participants: 1, most: 1000, nowMs: askedAtMs + 1 };
  const late = { type: 'refuse', code: 'room/request-resolved' } as const;
  const notFound = { type: 'refuse', code: 'access/not-found' } as const;

  test.each([
    ['JOIN-3 accepts a pending request', 'accepted', {}, { type: 'apply' }],
    ['JOIN-3 accepts the last member up to the limit', 'accepted', { participants: 999 }, { type: 'apply' }],
    [
      'JOIN-3 refuses to accept into a full room',
      'accepted',
      { participants: 1000 },
      { type: 'refuse', code: 'room/full' },
    ],
    [
      'JOIN-3 accepts where the operator allows more',
      'accepted',
      { participants: 1000, most: 1001 },
      { type: 'apply' },
    ],
    ['JOIN-4 rejects a pending request, also in a full room', 'rejected', { participants: 1000 }, { type: 'apply' }],
    ['JOIN-3 changes nothing for a member', 'accepted', { isMember: true, request: null }, { type: 'same' }],
    ['JOIN-4 changes nothing for a declined request', 'rejected', { request: request('rejected') }, { type: 'same' }],
    [
      'JOIN-4 refuses to reject an accepted request',
      'rejected',
      { isMember: true, request: request('accepted') },
      late,
    ],
    ['JOIN-4 refuses to accept a declined request', 'accepted', { request: request('rejected') }, late],
    ['JOIN-4 refuses to reject a member without a request', 'rejected', { isMember: true, request: null }, late],
    ['JOIN-19 answers not-found without a request', 'accepted', { request: null }, notFound],
    ['JOIN-6 answers not-found for a withdrawn request', 'accepted', { request: request('withdrawn') }, notFound],
    ['JOIN-6 answers not-found for a lapsed request', 'rejected', { request: request('lapsed') }, notFound],
    ['JOIN-9 answers not-found a minute after it was renewed', 'accepted', { nowMs: askedAtMs + 60_000 }, notFound],
    ['JOIN-9 accepts until that minute is over', 'accepted', { nowMs: askedAtMs + 59_999 }, { type: 'apply' }],
  ] as const)('%s', (_, answer, facts, expected) => {
    expect(decideAnswer(answer, { ...waiting, ...facts })).toEqual(expected);
  });
});

describe('a requester’s view of their own request', () => {
  test.each([
    ['nothing to a host', 'host', request('pending'), null],
    ['nothing without a request', 'stranger', null, null],
    ['JOIN-3 that a participant is in', 'participant', null, 'accepted'],
    ['JOIN-1 that it waits', 'pending', request('pending'), 'pending'],
    ['JOIN-6 that it was taken back', 'stranger', request('withdrawn'), 'none'],
    ['JOIN-9 that it lapsed', 'stranger', request('lapsed'), 'lapsed'],
    ['JOIN-9 that it lapsed, before that was stored', 'stranger', request('pending'), 'lapsed'],
    ['JOIN-5 that it was declined', 'rejected', request('rejected', { timesDeclined: 4 }), 'rejected'],
    [
      'JOIN-5 that it was declined for good',
      'rejected',
      request('rejected', { timesDeclined: 5 }),
      'rejected-for-good',
    ],
  ] as const)('%s', (_, role, fact, expected) => {
    expect(ownStatusOf(role, fact)).toBe(expected);
  });
});

describe('asking after a removal', () => {
  const asking = {
    role: 'removed',
    comesIn: false,
    invitedAtMs: null,
    isLocked: false,
    participants: 1,
    most: 1000,
    pending: 0,
  } as const;
  const removed = request('removed', { answeredAtMs: askedAtMs });

  test('waits ten minutes from the removal, and is open again then (ORDER-10)', () => {
    const after = (ms: number) => decideAsk({ ...asking, request: removed, nowMs: askedAtMs + ms });
    expect(after(0)).toEqual({ type: 'refuse', code: 'room/removed', retryAfterMs: 600_000 });
    expect(after(599_999)).toEqual({ type: 'refuse', code: 'room/removed', retryAfterMs: 1 });
    expect(after(600_000)).toEqual({ type: 'ask' });
  });

  test('an invitation by the host cancels a removal (ORDER-10)', () => {
    const invited = { ...asking, comesIn: true, invitedAtMs: askedAtMs + 1, nowMs: askedAtMs + 2 };
    expect(decideAsk({ ...invited, request: removed })).toEqual({ type: 'admit' });
    expect(decideAsk({ ...invited, request: request('barred', { answeredAtMs: askedAtMs }) })).toEqual({
      type: 'admit',
    });
  });

  test('a lock refuses new requests but keeps pending requests, members and earlier removals (ORDER-11)', () => {
    const locked = {
      request: null,
      comesIn: false,
      invitedAtMs: null,
      isLocked: true,
      participants: 1,
      most: 1000,
      pending: 0,
      nowMs: askedAtMs,
    } as const;
    expect(decideAsk({ ...locked, role: 'stranger' })).toEqual({ type: 'refuse', code: 'room/locked' });
    expect(decideAsk({ ...locked, role: 'pending' })).toEqual({ type: 'same' });
    expect(decideAsk({ ...locked, role: 'participant' })).toEqual({ type: 'member' });
    expect(decideAsk({ ...locked, role: 'removed', request: request('barred') })).toEqual({
      type: 'refuse',
      code: 'room/removed',
    });
  });
});

/** Admission without the host's approval. */
describe('admission', () => {
  const hourMs = 3_600_000;
  type AdmissionFacts = Parameters<typeof comesInByThemselves>[0];
  const facts: AdmissionFacts = {
    admits: 'nobody',
    isFriend: false,
    invitedAtMs: null,
    isBlocked: false,
    nowMs: 100 * hourMs,
  };
  /** The settings that admit this person. */
  const lettingIn = (more: Partial<AdmissionFacts>) =>
    admissions.filter((admits) => comesInByThemselves({ ...facts, ...more, admits }));

  test.each([
    ['a stranger', {}, ['everybody']],
    ['a soulmate or tunemate', { isFriend: true }, ['friends', 'everybody']],
    ['a person invited just now', { invitedAtMs: facts.nowMs }, ['nobody', 'friends', 'invited', 'everybody']],
    [
      'a person invited less than twelve hours ago',
      { invitedAtMs: facts.nowMs - 12 * hourMs + 1 },
      ['nobody', 'friends', 'invited', 'everybody'],
    ],
    ['a person invited twelve hours ago', { invitedAtMs: facts.nowMs - 12 * hourMs }, ['invited', 'everybody']],
    ['a person whom the host has blocked', { isBlocked: true, isFriend: true, invitedAtMs: facts.nowMs }, []],
  ] as const)('%s enters as the admission setting and the invitation allow (DOOR-1)', (_, more, expected) => {
    expect(lettingIn(more)).toEqual(expected);
  });
});

describe('hand over', () => {
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
});

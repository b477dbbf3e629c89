/** What every request passes through: nothing gets past its declaration, and nothing thrown inside gets out. */
import {
  httpRequests,
  type PlaybackIntent,
  type RequestName,
  type Result,
  socketRequests,
  type TabId,
  type Uid,
} from '@tunemate/protocol';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { coversEverything, seedOfDay } from '@tunemate/testkit/extent';
import { fuzz } from '@tunemate/testkit/fuzz/fuzz';
import type { Caller } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import type { Chat, Member, Pair, Subjects } from '../access/subjects.ts';
import { accept, Failure, refuse } from '../system/ports.ts';
import { maxMessageBytes } from './socket-server.ts';
import { type Answers, assertComplete, authorized, dispatcher, requestLimits } from './requests.ts';

const caller: Caller = {
  uid: 'A'.repeat(22) as Uid,
  sessionId: 's',
  connectionId: 'c',
  tabId: 't' as TabId,
  address: '127.0.0.1',
};
const handlers = Object.fromEntries(
  Object.keys(socketRequests).map((name) => [name, () => Promise.resolve(accept({}))]),
) as unknown as Answers;

function withOut(table: object, name: RequestName): object {
  return Object.fromEntries(Object.entries(table).filter(([each]) => each !== name));
}

function dispatchTo(parts: Partial<Answers>) {
  const logged: string[] = [];
  const note = (_fields: object, event: string) => void logged.push(event);
  const dispatch = dispatcher({
    answers: { ...handlers, ...parts },
    takeLimit: () => Promise.resolve(accept({})),
    afterRefusal: (_caller, _name, refusal) => Promise.resolve(refusal),
    log: { debug: note, info: note, warn: note, error: note },
  });
  return { logged, ask: (name: string, payload: unknown) => dispatch(caller, name, payload) };
}

describe('completeness', () => {
  test.each(Object.keys(socketRequests) as RequestName[])(
    'the server does not start without a handler or a declaration for %s',
    (name) => {
      expect(() => assertComplete(handlers)).not.toThrow();
      expect(() => assertComplete(withOut(handlers, name))).toThrow(`not answered by a handler: ${name}`);
      expect(() => assertComplete(handlers, withOut(socketRequests, name))).toThrow(`not in the protocol: ${name}`);
    },
  );

  test('a handler without a declaration stops the start', () => {
    const more = { ...handlers, 'rooms/peek': () => Promise.resolve(accept({})) };
    expect(() => dispatcher({ ...({} as Parameters<typeof dispatcher>[0]), answers: more })).toThrow('rooms/peek');
  });
});

test('a failure is answered with its code and no details (WIRE-10)', async () => {
  const { ask, logged } = dispatchTo({
    'clock/probe': () => Promise.reject(new Failure('server/storage-full', 'database.full')),
    'chats/list': () => Promise.reject(new TypeError('secret detail')),
  });
  expect((await ask('clock/probe', {})).result).toEqual({ ok: false, error: { code: 'server/storage-full' } });
  expect((await ask('chats/list', {})).result).toEqual({ ok: false, error: { code: 'server/failed' } });
  expect(logged).toEqual(['request.unavailable', 'request.failed']);
});

test.each(['__proto__', 'constructor', 'toString', 'rooms/peek', '', 'x'.repeat(500)])(
  'the unknown request %j counts as a protocol violation (WIRE-11)',
  async (name) => {
    expect(await dispatchTo({}).ask(name, {})).toMatchObject({
      isViolation: true,
      result: { ok: false, error: { code: 'input/invalid' } },
    });
  },
);

// The needs of requests at work: a handler is called with a subject that may, or not at all.
const room = { kind: 'video', code: 'A1B2C3' } as const;

/** A member of a room, or who is refused as one. */
function memberWho(outcome: Result<unknown>): Member {
  let wasChecked = false;
  const check = () => {
    wasChecked = true;
    return Promise.resolve(outcome as Result<never>);
  };
  return { caller, read: check, write: check, isChecked: () => wasChecked };
}

/** Handlers that record their arguments, with subjects whose answers the test sets. */
function stage(answers: Partial<Record<keyof Subjects, ReturnType<typeof refuse>>>) {
  const handed: unknown[] = [];
  const asked: unknown[] = [];
  const note = (subject: unknown) => {
    handed.push(subject);
    return Promise.resolve(accept({}));
  };
  const noteMember = async (member: Member) => {
    handed.push('a member');
    return await member.write([], () => accept({}));
  };
  const subjects: Subjects = {
    room: (_caller, _named, need) => {
      asked.push(need);
      return memberWho(answers.room ?? accept({}));
    },
    person: () => Promise.resolve(answers.person ?? accept('a pair' as unknown as Pair)),
    chat: () => Promise.resolve(answers.chat ?? accept('a chat' as unknown as Chat)),
  };
  const handlers = {
    'rooms/leave': noteMember,
    'rooms/acceptRequest': noteMember,
    'catalogue/search': noteMember,
    'rooms/people': note,
    'chats/block': note,
    'chats/mark': note,
    'notifications/markRead': note,
  };
  return {
    handed,
    asked,
    ask: authorized(handlers as never, subjects) as Record<
      keyof typeof handlers,
      (caller: Caller, payload: unknown) => Promise<unknown>
    >,
  };
}

test('a handler is handed what the row of its request names', async () => {
  const { ask, handed, asked } = stage({});
  await ask['rooms/leave'](caller, room);
  await ask['rooms/acceptRequest'](caller, { ...room, uid: caller.uid });
  await ask['chats/block'](caller, { uid: caller.uid, isBlocked: true });
  await ask['chats/mark'](caller, { pairId: 'x', deliveredUpTo: 1, readUpTo: 1 });
  await ask['notifications/markRead'](caller, {});
  expect(handed).toEqual(['a member', 'a member', 'a pair', 'a chat', caller]);
  expect(asked).toEqual(['member', 'host']);
});

test('a caller without permission is refused, with a code that the row allows', async () => {
  const { ask, handed } = stage({
    room: refuse('room/not-found'),
    person: refuse('access/not-found'),
    chat: refuse('access/not-found'),
  });
  expect(await ask['rooms/leave'](caller, room)).toEqual(refuse('room/not-found'));
  expect(await ask['catalogue/search'](caller, { ...room, query: 'rain' })).toEqual(refuse('room/not-member'));
  expect(await ask['chats/block'](caller, { uid: null, isBlocked: true })).toEqual(refuse('access/not-found'));
  expect(await ask['chats/mark'](caller, {})).toEqual(refuse('access/not-found'));
  // A room refuses where it is read; people and chats before the handler runs.
  expect(handed).toEqual(['a member', 'a member']);
});

test('a handler that answers without a look at the right of the caller is a bug, and its answer is not sent', async () => {
  const { ask } = stage({});
  await expect(ask['rooms/people'](caller, { ...room, which: { type: 'after', uid: null } })).rejects.toThrow(
    'rooms/people was answered without a look at the right',
  );
});

test('a list of tracks takes as many bytes as its tracks would take one by one', async () => {
  let taken = 0;
  const limits: Limits = {
    peek: () => Promise.resolve(accept({})),
    giveBack: () => Promise.resolve(),
    take: (_name, _key, count = 0) => {
      taken += count;
      return Promise.resolve(accept({}));
    },
  };
  const bytesOf = async (intent: PlaybackIntent) => {
    taken = 0;
    const payload = { kind: 'video', code: 'ABCDEF', tabId: 't', clientId: 'c'.repeat(22), intent };
    await requestLimits(limits).takeLimit(caller, 'playback/write', payload);
    return taken;
  };
  const items = [1, 2, 3].map((n) => trackOf(n));
  let sum = 0;
  for (const track of items) sum += await bytesOf({ type: 'enqueue', track });
  expect(await bytesOf({ type: 'enqueueAll', items })).toBe(sum);
});

interface Shape {
  type?: string | string[];
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  maxItems?: number;
  maxLength?: number;
}

/** How long the JSON of such a value is at most. */
function longest({ anyOf, oneOf, type, properties = {}, items = {}, maxItems = 1e6, maxLength = 40 }: Shape): number {
  const ways = anyOf ?? oneOf;
  if (ways) return Math.max(...ways.map(longest));
  const fields = Object.entries(properties).reduce((sum, [name, shape]) => sum + name.length + 4 + longest(shape), 2);
  const lengths: Record<string, () => number> = {
    object: () => fields,
    array: () => maxItems * (longest(items) + 1) + 2,
    string: () => maxLength + 2,
  };
  return Math.max(...[type ?? ''].flat().map((each) => lengths[each]?.() ?? 20));
}

test('a page is cut off for no request that its declaration takes: longer lists are bounded by their bytes', () => {
  const shapeOf = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Shape;
  const declared = Object.entries<{ payload: z.ZodType }>(socketRequests);
  const longer = declared.filter(([, { payload }]) => longest(shapeOf(payload)) > maxMessageBytes);
  expect(longer.map(([name]) => name)).toEqual(['playback/write', 'catalogue/cards']);
  const link = `link:https://films.example/a.mp4?key=${'x'.repeat(1700)}`;
  const takes = (count: number) =>
    socketRequests['catalogue/cards'].payload.safeParse({ videoIds: Array.from({ length: count }, () => link) })
      .success;
  expect([takes(6), takes(20)]).toEqual([true, false]);
});

const mayTakeLong = { timeout: 300_000 };

/** Payloads made from the schemas and then broken: nothing of it makes the server fail. `npm run bench -- fuzz` sends more. */
describeEachDialect('a fuzzer over the schemas', (makeDatabaseUrl) => {
  test(
    'no request that the schemas allow, and none broken in places, makes the server fail (LOAD-1)',
    mayTakeLong,
    async () => {
      // As many for each kind, however many kinds there are; some 6,000 in all where everything is covered.
      const perKind = coversEverything ? 45 : 34;
      const requests = perKind * (Object.keys(socketRequests).length + Object.keys(httpRequests).length);
      const report = await fuzz({ databaseUrl: await makeDatabaseUrl(), requests, seed: seedOfDay });
      expect({ seed: seedOfDay, failures: report.failures }).toEqual({ seed: seedOfDay, failures: [] });
      // Otherwise it would only have knocked at the door.
      expect(report.kindsAccepted).toBeGreaterThan(report.kinds / 2);
      expect(report.refused['input/invalid']).toBeGreaterThan(100);
    },
  );
});

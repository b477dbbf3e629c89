/** What every request passes through: nothing gets past its declaration, and nothing thrown inside gets out. */
import { type RequestName, socketRequests, type TabId, type Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { accept, Failure } from '../system/ports.ts';
import { type Answers, assertComplete, dispatcher } from './requests.ts';
import type { Caller } from '../access/caller.ts';

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
    'ACCESS-7 the server does not start without a handler or a declaration for %s',
    (name) => {
      expect(() => assertComplete(handlers)).not.toThrow();
      expect(() => assertComplete(withOut(handlers, name))).toThrow(`not answered by a handler: ${name}`);
      expect(() => assertComplete(handlers, withOut(socketRequests, name))).toThrow(`not in the protocol: ${name}`);
    },
  );

  test('ACCESS-8 a handler without a declaration stops the start', () => {
    const more = { ...handlers, 'rooms/peek': () => Promise.resolve(accept({})) };
    expect(() => dispatcher({ ...({} as Parameters<typeof dispatcher>[0]), answers: more })).toThrow('rooms/peek');
  });
});

test('WIRE-10 a failure is answered with its code and no details', async () => {
  const { ask, logged } = dispatchTo({
    'clock/probe': () => Promise.reject(new Failure('server/storage-full', 'database.full')),
    'chats/list': () => Promise.reject(new TypeError('secret detail')),
  });
  expect((await ask('clock/probe', {})).result).toEqual({ ok: false, error: { code: 'server/storage-full' } });
  expect((await ask('chats/list', {})).result).toEqual({ ok: false, error: { code: 'server/failed' } });
  expect(logged).toEqual(['request.unavailable', 'request.failed']);
});

test.each(['__proto__', 'constructor', 'toString', 'rooms/peek', '', 'x'.repeat(500)])(
  'WIRE-11 the unknown request %j counts as a protocol violation',
  async (name) => {
    expect(await dispatchTo({}).ask(name, {})).toMatchObject({
      isViolation: true,
      result: { ok: false, error: { code: 'input/invalid' } },
    });
  },
);

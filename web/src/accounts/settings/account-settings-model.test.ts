import { aLiveConnection } from '../../../testing/fake-link.ts';
import type { Result, RouteName, SessionRow } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { aSnapshot, uidOf } from '../../../testing/connection-fixtures.ts';
import type { CallRoute } from '../../connection/http.ts';
import { exportInstead } from './account-settings-words.ts';
import { sentenceOf } from '../../words/errors.ts';
import { createAccountSettingsModel, createFetchOwnData } from './account-settings-model.ts';

const row = (sessionId: string, lastSeenAt: number, isCurrent = false): SessionRow => ({
  sessionId,
  device: `Device ${sessionId}`,
  createdAt: 1,
  lastSeenAt,
  isCurrent,
});
const done = { ok: true, value: {} } as const;
const gone = { ok: false, error: { code: 'access/not-found' } } as const;
const unavailable = { ok: false, error: { code: 'server/unavailable' } } as const;

async function setUp(answers: Partial<Record<RouteName, unknown>>) {
  const { connection, server, welcome } = aLiveConnection(createFakeClock());
  await welcome(aSnapshot());
  const asked: { name: RouteName; payload: unknown }[] = [];
  const callRoute: CallRoute = (name, payload) => {
    asked.push({ name, payload });
    return Promise.resolve((answers[name] ?? unavailable) as Result<never>);
  };
  return {
    answers,
    asked,
    server,
    model: createAccountSettingsModel(callRoute, connection, () => Promise.resolve(unavailable)),
  };
}

const sessions = [row('old', 1), row('here', 2, true), row('new', 3)];
const listed = { ok: true, value: { sessions } } as const;

test('devices are listed with this one first, then the ones seen last', async () => {
  const { model } = await setUp({ 'GET /api/accounts/sessions': listed });
  await model.loadSessions();
  expect(model.sessions.get()).toEqual({ status: 'known', items: [sessions[1], sessions[2], sessions[0]] });
});

test('a list that could not be loaded shows the failure, and can be loaded again', async () => {
  const { answers, model } = await setUp({});
  await model.loadSessions();
  expect(model.sessions.get()).toEqual({ status: 'failed', refusal: unavailable.error });
  answers['GET /api/accounts/sessions'] = listed;
  await model.loadSessions();
  expect(model.sessions.get().status).toBe('known');
});

test.each([done, gone])('a device that was ended leaves the list, and so does one that was over', async (answer) => {
  const answers = { 'GET /api/accounts/sessions': listed, 'POST /api/accounts/revoke-session': answer };
  const { asked, model } = await setUp(answers);
  await model.loadSessions();
  expect(await model.endSession('old')).toEqual(done);
  expect(asked.at(-1)?.payload).toEqual({ sessionId: 'old' });
  expect(model.sessions.get()).toMatchObject({ items: [{ sessionId: 'here' }, { sessionId: 'new' }] });
});

test('a device that could not be signed out stays in the list', async () => {
  const { model } = await setUp({ 'GET /api/accounts/sessions': listed });
  await model.loadSessions();
  expect(await model.endSession('old')).toEqual(unavailable);
  expect(model.sessions.get()).toMatchObject({ items: { length: 3 } });
});

test('after a change of password the list of devices is loaded again', async () => {
  const answers = { 'GET /api/accounts/sessions': listed, 'POST /api/accounts/change-password': done };
  const { asked, model } = await setUp(answers);
  expect(await model.changePassword('old words', 'new words')).toEqual(done);
  expect(asked.map(({ name }) => name)).toEqual(['POST /api/accounts/change-password', 'GET /api/accounts/sessions']);
});

test('blocked people are loaded on request, with their names; unblocking removes a person from the list', async () => {
  const { model, server, asked } = await setUp({});
  expect(model.blocked.get()).toEqual({ status: 'unknown' });
  const loading = model.loadBlocked();
  expect(model.blocked.get()).toEqual({ status: 'loading' });
  const [ada, nobody] = [
    { uid: uidOf('A'), name: 'Ada' },
    { uid: uidOf('B'), name: '' },
  ];
  await server.answer('chats/blocked', { ok: true, value: { people: [ada, nobody] } });
  await loading;
  expect(asked).toEqual([]);
  expect(model.blocked.get()).toEqual({ status: 'known', items: [ada, nobody] });
  const unblocking = model.unblock(uidOf('A'));
  expect(server.waiting.at(-1)).toMatchObject({ name: 'chats/block', payload: { uid: uidOf('A'), isBlocked: false } });
  await server.answer('chats/block', done);
  expect(await unblocking).toEqual(done);
  expect(model.blocked.get()).toEqual({ status: 'known', items: [nobody] });
});

test('the exported data is the file that the server sends, unchanged', async () => {
  const file = '{"user":{"name":"Mara"}}';
  const asked: unknown[] = [];
  const fetchOwnData = createFetchOwnData((path) => {
    asked.push(path);
    return Promise.resolve(new Response(file, { headers: { 'content-type': 'application/json' } }));
  });
  const answer = await fetchOwnData();
  expect(answer.ok && [await answer.value.text(), answer.value.type]).toEqual([file, 'application/json']);
  expect(asked).toEqual(['/api/accounts/export']);
});

test('a refused export shows that one was made just now, and when the next is possible', async () => {
  const error = { code: 'limit/too-many', retryAfterMs: 20 * 60 * 1000 } as const;
  const refused = createFetchOwnData(() => Promise.resolve(Response.json({ ok: false, error }, { status: 429 })));
  expect(await refused()).toEqual({ ok: false, error });
  expect(sentenceOf(error, exportInstead(error))).toBe('You exported your data a moment ago. Try again in 20 minutes.');
});

test.each([
  [
    'the sign-in page of a network',
    new Response('<!doctype html><h1>Hotel Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } }),
  ],
  [
    'a check of a content network',
    new Response('<html>Just a moment...</html>', { headers: { 'content-type': 'text/html; charset=UTF-8' } }),
  ],
  ['an empty answer of a proxy', new Response(null, { status: 204 })],
])('%s in place of the file is not saved as one', async (_what, answer) => {
  expect(await createFetchOwnData(() => Promise.resolve(answer))()).toEqual(unavailable);
});

test('a file that does not arrive, or is cut off, is server/unavailable', async () => {
  const breakingOff = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) });
  for (const answer of [
    Promise.reject(new Error('no network')),
    Promise.resolve(new Response(breakingOff, { headers: { 'content-type': 'application/json' } })),
  ]) {
    expect(await createFetchOwnData(() => answer)()).toEqual(unavailable);
  }
});

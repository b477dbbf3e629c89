import type { Result, RouteName, SessionState } from '@tunemate/protocol';
import { describe, expect, test, vi } from 'vitest';
import { aSnapshot, uidOf } from '../../../testing/connection-fixtures.ts';
import type { CallRoute } from '../../connection/http.ts';
import { createSessionModel, syncToken } from './session-model.ts';

const { user } = aSnapshot();
const signedIn: SessionState = { status: 'signed-in', user };
const unverified: SessionState = { status: 'unverified', uid: user.uid, name: user.name, email: user.email };
const unavailable = { ok: false, error: { code: 'server/unavailable' } } as const;

/** Answers each route with what the test set for it; a promise lets the test decide when. */
function setUp(answers: Partial<Record<RouteName, unknown>>) {
  const calls: RouteName[] = [];
  const callRoute: CallRoute = (name) => {
    calls.push(name);
    return Promise.resolve((answers[name] ?? unavailable) as Result<never>);
  };
  return { answers, calls, model: createSessionModel(callRoute) };
}

test('the session is loading until the server has answered', async () => {
  const { model } = setUp({ 'GET /api/session': { ok: true, value: signedIn } });
  expect(model.session.get()).toEqual({ status: 'loading' });
  await model.load();
  expect(model.session.get()).toEqual(signedIn);
});

test('without an answer the session is unreachable, not signed out, and the server can be asked again', async () => {
  const { answers, model } = setUp({});
  await model.load();
  expect(model.session.get()).toEqual({ status: 'unreachable', refusal: unavailable.error });
  answers['GET /api/session'] = { ok: true, value: { status: 'signed-out' } };
  await model.load();
  expect(model.session.get()).toEqual({ status: 'signed-out' });
});

test('a user stays signed in when the server becomes unreachable later', async () => {
  const { answers, model } = setUp({ 'GET /api/session': { ok: true, value: signedIn } });
  await model.load();
  answers['GET /api/session'] = unavailable;
  await model.load();
  expect(model.session.get()).toEqual(signedIn);
});

test('signing in shows the user and notifies listeners once', async () => {
  const { model } = setUp({ 'POST /api/accounts/sign-in': { ok: true, value: signedIn } });
  const reported: string[] = [];
  model.onSignedIn(({ name }) => reported.push(name));
  await expect(model.signIn('m@x.y', 'secret secret')).resolves.toMatchObject({ ok: true });
  expect(model.session.get()).toEqual(signedIn);
  expect(reported).toEqual([user.name]);
});

test('a user who is already signed in at page load is not reported as a sign-in', async () => {
  const { model } = setUp({ 'GET /api/session': { ok: true, value: signedIn } });
  const reported: string[] = [];
  model.onSignedIn(({ name }) => reported.push(name));
  await model.load();
  await model.load();
  expect(reported).toEqual([]);
});

test.each([['unverified'], ['signed-out']])(
  'a page that was %s and finds the user signed in reports the sign-in once',
  async (status) => {
    const before = status === 'unverified' ? unverified : { status };
    const { answers, model } = setUp({ 'GET /api/session': { ok: true, value: before } });
    const reported: string[] = [];
    model.onSignedIn(({ name }) => reported.push(name));
    await model.load();
    answers['GET /api/session'] = { ok: true, value: signedIn };
    await model.load();
    await model.load();
    expect(reported).toEqual([user.name]);
  },
);

test('verifying in the browser that signed up is reported as a sign-in, also on a page loaded for it', async () => {
  const { answers, model } = setUp({ 'GET /api/session': { ok: true, value: unverified } });
  const reported: string[] = [];
  model.onSignedIn(({ name }) => reported.push(name));
  const loading = model.load();
  answers['GET /api/session'] = { ok: true, value: signedIn };
  await Promise.all([loading, model.takeSignIn()]);
  expect(model.session.get()).toEqual(signedIn);
  expect(reported).toEqual([user.name]);
});

test('a refused sign-in changes nothing', async () => {
  const refused = { ok: false, error: { code: 'auth/invalid-credentials' } };
  const { model } = setUp({ 'POST /api/accounts/sign-in': refused });
  await expect(model.signIn('m@x.y', 'wrong')).resolves.toEqual(refused);
  expect(model.session.get()).toEqual({ status: 'loading' });
});

test('signing in with an unverified address is not reported as a sign-in', async () => {
  const { model } = setUp({ 'POST /api/accounts/sign-in': { ok: true, value: unverified } });
  const reported: string[] = [];
  model.onSignedIn(({ name }) => reported.push(name));
  await model.signIn('m@x.y', 'secret secret');
  expect(model.session.get()).toEqual(unverified);
  expect(reported).toEqual([]);
});

test('a late answer to a request from before the sign-in does not undo it', async () => {
  const late = Promise.withResolvers<unknown>();
  const { answers, model } = setUp({ 'GET /api/session': late.promise });
  const loading = model.load();
  answers['POST /api/accounts/sign-in'] = { ok: true, value: signedIn };
  await model.signIn('m@x.y', 'secret secret');
  late.resolve({ ok: true, value: { status: 'signed-out' } });
  await loading;
  expect(model.session.get()).toEqual(signedIn);
});

test('a page asks once more before it believes that its session is over: another window may be signing in again', async () => {
  vi.useFakeTimers();
  const { answers, model } = setUp({ 'GET /api/session': { ok: true, value: signedIn } });
  await model.load();
  const seen: string[] = [];
  model.session.subscribe(() => seen.push(model.session.get().status));
  const over = { ok: true, value: { status: 'signed-out' } };
  answers['GET /api/session'] = over;
  const loading = model.load();
  await vi.advanceTimersByTimeAsync(500);
  // The cookie of the other window is there by now.
  answers['GET /api/session'] = { ok: true, value: signedIn };
  await vi.runAllTimersAsync();
  await loading;
  expect(seen).not.toContain('signed-out');
  answers['GET /api/session'] = over;
  void model.load();
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(model.session.get()).toEqual({ status: 'signed-out' });
});

test('signing out reports the uid; without an answer of the server the user stays signed in', async () => {
  const { answers, model } = setUp({ 'GET /api/session': { ok: true, value: signedIn } });
  await model.load();
  const left: string[] = [];
  model.onSignedOut((uid) => left.push(uid));
  await expect(model.signOut()).resolves.toEqual(unavailable);
  expect(model.session.get()).toEqual(signedIn);
  answers['POST /api/accounts/sign-out'] = { ok: true, value: {} };
  await expect(model.signOut()).resolves.toEqual({ ok: true, value: {} });
  expect(model.session.get()).toEqual({ status: 'signed-out' });
  expect(left).toEqual([user.uid]);
});

test('a session that was already over counts as signed out', async () => {
  const { model } = setUp({ 'POST /api/accounts/sign-out': { ok: false, error: { code: 'auth/required' } } });
  await expect(model.signOut()).resolves.toEqual({ ok: true, value: {} });
  expect(model.session.get()).toEqual({ status: 'signed-out' });
});

test('signing out everywhere or deleting the account signs out here and is reported once; a refusal changes nothing', async () => {
  const { calls, model } = setUp({ 'GET /api/session': { ok: true, value: signedIn } });
  await model.load();
  const reported: string[] = [];
  model.onSignedOut((uid) => reported.push(uid));
  const wrong = { ok: false, error: { code: 'auth/invalid-credentials' } } as const;
  await expect(model.signOut(() => Promise.resolve(wrong))).resolves.toEqual(wrong);
  expect(model.session.get()).toEqual(signedIn);
  await expect(model.signOut(() => Promise.resolve({ ok: true, value: {} }))).resolves.toMatchObject({ ok: true });
  expect(model.session.get()).toEqual({ status: 'signed-out' });
  expect(reported).toEqual([user.uid]);
  expect(calls).not.toContain('POST /api/accounts/sign-out');
});

describe('token sync', () => {
  test('token sync sends the uid with the cookies of the other system, and nothing without an address', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response('')));
    await syncToken(fetch, null, 'POST', uidOf('M'));
    expect(fetch).not.toHaveBeenCalled();
    await syncToken(fetch, 'https://sync.test/', 'DELETE', uidOf('M'));
    expect(fetch).toHaveBeenCalledWith(
      'https://sync.test/',
      expect.objectContaining({ method: 'DELETE', credentials: 'include', body: JSON.stringify({ uid: uidOf('M') }) }),
    );
  });

  test('a failed token sync is only logged', async () => {
    const logged = vi.fn();
    vi.stubGlobal('reportError', logged);
    await syncToken(() => Promise.reject(new TypeError('Failed to fetch')), 'https://sync.test/', 'POST', uidOf('M'));
    expect(logged).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});

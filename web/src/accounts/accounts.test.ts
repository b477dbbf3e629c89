import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { uidOf } from '../../testing/connection-fixtures.ts';
import type { CallRoute } from '../connection/http.ts';
import { emailProblem, nameProblem, newPasswordProblem } from './form-rules.ts';
import { createVerificationModel, readLinkAction } from './sign-up/link-action-model.ts';
import { loginPath, safeNext } from './sign-in/next-path.ts';
import { roomLinkOf, roomOf, sharedRoom } from './sign-in/next-room.ts';
import { syncToken } from './sign-in/session-model.ts';

test.each([
  ['/tunemate/7F3A9C', '/tunemate/7F3A9C'],
  ['/join?code=7F3A9C', '/join?code=7F3A9C'],
  [null, '/'],
  ['', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example/', '/'],
  ['/.//evil.example', '/'],
  ['/..//evil.example/', '/'],
  ['/%2e//evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/tunemate/7F3A9C#chat', '/tunemate/7F3A9C'],
  ['javascript:alert(1)', '/'],
  ['/login?next=/login', '/'],
  ['/signup', '/'],
])('after signing in, next=%j opens %s', (next, path) => {
  expect(safeNext(next)).toBe(path);
});

test('no next ever leads to another site, or to an address that begins with two slashes', () => {
  const site = 'https://tunemate.example';
  const piece = fc.oneof(
    fc.constantFrom('/', '//', '\\', '.', '..', '%2e', '%2f', '@', ':', '?', '#', '\t', '\n', ' ', 'evil.example'),
    fc.string({ maxLength: 4 }),
  );
  const next = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
  fc.assert(
    fc.property(next, (typed) => {
      const path = safeNext(typed);
      expect(path).toMatch(/^\/(?![/\\])/);
      expect(new URL(path, site).origin).toBe(site);
      expect(safeNext(path)).toBe(path);
    }),
    { numRuns: 2000 },
  );
});

test('signing in returns to the page that required it', () => {
  expect(loginPath('/audio-room/7F3A9C')).toBe('/login?next=%2Faudio-room%2F7F3A9C');
  expect(loginPath('/')).toBe('/login');
});

test.each([
  ['?mode=verifyEmail&oobCode=abc', { mode: 'verifyEmail', oobCode: 'abc' }],
  ['?mode=resetPassword&oobCode=abc', { mode: 'resetPassword', oobCode: 'abc' }],
  ['?mode=recoverEmail&oobCode=abc', { mode: 'unknown' }],
  ['?mode=verifyEmail', { mode: 'unknown' }],
  ['', { mode: 'unknown' }],
  // As mail programs and chats pass links on.
  ['?mode=verifyEmail&amp;oobCode=a-b_c', { mode: 'verifyEmail', oobCode: 'a-b_c' }],
  ['?mode=verifyEmail&oobCode=a-b_c.', { mode: 'verifyEmail', oobCode: 'a-b_c' }],
  ['?mode=resetPassword&oobCode=a-b_c%3E', { mode: 'resetPassword', oobCode: 'a-b_c' }],
  ['?mode=resetPassword&oobCode=a-b_c)&utm_source=mail', { mode: 'resetPassword', oobCode: 'a-b_c' }],
  ['?mode=verifyEmail&oobCode=%20a-b_c%E2%80%8B', { mode: 'verifyEmail', oobCode: 'a-b_c' }],
  ['?mode=verifyEmail&oobCode=)', { mode: 'unknown' }],
])('the link %j is parsed', (search, action) => {
  expect(readLinkAction(search)).toEqual(action);
});

function verifying(...answers: unknown[]) {
  const callRoute = vi.fn(() => Promise.resolve(answers.shift()));
  return { callRoute, model: createVerificationModel(callRoute as unknown as CallRoute, 'abc') };
}

test('a code is sent once, however often the page asks', async () => {
  const verified = { name: 'Mara', isSignedIn: true, rejectCode: null };
  const { callRoute, model } = verifying({ ok: true, value: verified });
  expect(model.verification.get()).toEqual({ status: 'loading' });
  await Promise.all([model.start(), model.start()]);
  await model.start();
  expect(callRoute).toHaveBeenCalledTimes(1);
  expect(model.verification.get()).toEqual({ status: 'verified', email: null, ...verified });
});

test('a code that the server refuses has failed', async () => {
  const refusal = { ok: false, error: { code: 'auth/code-invalid' } };
  const { model } = verifying(refusal, { ok: true, value: { status: 'over' } });
  await model.start();
  expect(model.verification.get()).toEqual({ status: 'failed' });
});

test('a link can be tried again after the server was unavailable', async () => {
  const { model } = verifying({ ok: false, error: { code: 'server/unavailable' } }, { ok: true, value: {} });
  await model.start();
  expect(model.verification.get()).toMatchObject({ status: 'unreachable' });
  await model.start();
  expect(model.verification.get()).toMatchObject({ status: 'verified' });
});

test('a person who never signed up can report it; after a refusal the page is unchanged and they can try again', async () => {
  const value = { name: 'Eve', isSignedIn: false, rejectCode: 'undo' };
  const unavailable = { ok: false, error: { code: 'server/unavailable' } };
  const { callRoute, model } = verifying({ ok: true, value }, unavailable, { ok: true, value: {} });
  await model.start();
  await expect(model.reject()).resolves.toEqual(unavailable.error);
  expect(model.verification.get()).toEqual({ status: 'verified', email: null, ...value });
  await expect(model.reject()).resolves.toBeNull();
  expect(model.verification.get()).toEqual({ status: 'rejected', was: 'account' });
  expect(callRoute).toHaveBeenLastCalledWith('POST /api/accounts/reject-sign-up', { oobCode: 'undo' });
});

test('a sign-up is rejected before its link is used, by the code of the link', async () => {
  const account = { name: 'Eve', email: 'mara@example.test', number: 47 };
  const { callRoute, model } = verifying({ ok: true, value: { status: 'open', account } }, { ok: true, value: {} });
  await model.look();
  expect(model.verification.get()).toEqual({ status: 'open', account });
  await expect(model.reject()).resolves.toBeNull();
  expect(model.verification.get()).toEqual({ status: 'rejected', was: 'sign-up' });
  expect(callRoute).toHaveBeenLastCalledWith('POST /api/accounts/reject-sign-up', { oobCode: 'abc' });
});

test.each([
  ['/join?code=7f3a9c', 'video', '/join?code=7F3A9C'],
  ['/join-audio-room?x=1&code=7F3A9C&ask=1', 'audio', '/join-audio-room?code=7F3A9C'],
])('the link %s of a shared room is written in one way, without anything else of it', (next, kind, link) => {
  expect(sharedRoom(next)).toEqual({ kind, code: '7F3A9C' });
  expect(roomLinkOf(next)).toBe(link);
});

test.each(['/', '/join', '/join?code=nothing', '/tunemate/7F3A9C', '/create?code=7F3A9C'])(
  '%s is no link of a shared room',
  (next) => expect(sharedRoom(next)).toBeUndefined(),
);

test('a mail is asked for with the room that the next page is of, and with no other page', () => {
  expect(roomOf('/join?code=7F3A9C')).toEqual({ room: { kind: 'video', code: '7F3A9C' } });
  expect(roomOf('/audio-room/b04e21')).toEqual({ room: { kind: 'audio', code: 'B04E21' } });
  for (const next of ['/', '/chats', '/join', '/join?code=nothing', '/chat/b04e21']) expect(roomOf(next)).toEqual({});
});

test('missing or too long fields are reported before a request is sent', () => {
  expect(nameProblem(' \u200b ')).toBe('nameMissing');
  expect(nameProblem('é'.repeat(50))).toBeNull();
  expect(nameProblem('😀'.repeat(51))).toBe('nameTooLong');
  expect(nameProblem('a\u0007b')).toBe('nameUnfit');
  expect([nameProblem('a\u202eb'), nameProblem('Tun\u200bemate')]).toEqual([null, 'nameReserved']);
  expect(emailProblem(' ')).toBe('emailMissing');
  expect(emailProblem('mara@')).toBe('emailUnfit');
  expect(emailProblem(' \u2068mara@lindqvist.fm\u2069 ')).toBeNull();
  expect(newPasswordProblem('')).toBe('passwordMissing');
  expect(newPasswordProblem('1234567')).toBe('passwordTooShort');
  expect(newPasswordProblem('😀'.repeat(8))).toBeNull();
  expect(newPasswordProblem('x'.repeat(129))).toBe('passwordTooLong');
});

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

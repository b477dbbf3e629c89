import { expect, test, vi } from 'vitest';
import type { CallRoute } from '../../connection/http.ts';
import { createVerificationModel, readLinkAction } from './link-action-model.ts';

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

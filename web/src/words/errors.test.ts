import { errorCodes } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { readCatalogue } from '../../languages/translate.mjs';
import { roomKindFacts } from '../rooms/room-kinds.ts';
import { resendFailed, signUpFailed } from '../accounts/account-words.ts';
import { tunemateWords } from '../tunemates/tunemate-words.ts';
import { sentenceOf, sentences, tryAgainIn } from './errors.ts';

/** The agreed sentences of the product, with their full stops. Screen tests and e2e check those in components. */
const ofTheSpec = [
  'Email Verification Required',
  'Resend Verification Email',
  'Back to Login',
  'Sign In',
  'Create Account',
  'Verification Email Sent!',
  'Resend',
  'Go to Login',
  'Add your Soulmate',
  'Login to see your Soulmate',
  'Join Soulmate Room',
  'Join Tunemate Video Room',
  'Join Tunemate Audio Room',
  'Create Video Room',
  'Create Audio Room',
  'Chat',
  'Notifications',
  'Log In',
  'Chatbot coming soon...',
  'No tunemates yet',
  'Invite',
  'Remove',
  'Logout',
  'Back to Home',
  'Soulmate Streaming Room',
  'Accept',
  'Decline',
  'No private chats yet.',
  'Loading...',
  'You (Host)',
  'Click here to Start Chat',
  'Click here to Return Room',
  'Please enter Room Code',
  'Please enter Audio Room Code',
  'Room not found',
  'Audio Room not found',
  'This Tunemate Room is ended by the host',
  'This Audio Room is ended by the host.',
  'You must be logged in to access rooms',
  'Access Denied! You must wait for host approval',
  'Please enter a Room Name',
  'Failed to create room.',
  'Failed to create room',
  'Invalid credentials',
  'Please sign up again to receive a verification email.',
  'Verification Failed',
  'There was an error verifying your email. The link may have expired or already been used.',
  'Verification email resent!',
  'Login successful!',
  'Room Code copied to clipboard!',
  'Invitation sent!',
];

/** The English sentences of all pages: `npm run check` holds each catalogue to them. */
const said = [...(readCatalogue('de')?.keys() ?? [])];

test.each(ofTheSpec)('%j is used word for word', (sentence) => {
  expect(said).toContain(sentence);
});

test('the sentences of the two kinds of room are not mixed up', () => {
  expect(roomKindFacts.video).toMatchObject({
    codeMissing: 'Please enter Room Code',
    notFoundWhenJoining: 'Room not found',
    createFailed: 'Failed to create room.',
    ended: 'This Tunemate Room is ended by the host',
  });
  expect(roomKindFacts.audio).toMatchObject({
    codeMissing: 'Please enter Audio Room Code',
    notFoundWhenJoining: 'Audio Room not found',
    createFailed: 'Failed to create room',
    ended: 'This Audio Room is ended by the host.',
  });
});

test('failures that name a reason begin with the agreed words', () => {
  expect(signUpFailed({ code: 'auth/password-weak' })).toMatch(/^Signup failed: .+/);
  expect(resendFailed({ code: 'limit/too-many', retryAfterMs: 60_000 })).toBe(
    'Failed to resend verification email: Too many requests. Try again in 60 seconds.',
  );
  expect(tunemateWords.invitationSentTo('Ada Okafor')).toBe('Invitation sent to Ada Okafor');
});

test('every code has its own sentence, and a code from a newer server has a general one', () => {
  expect(Object.keys(sentences).toSorted()).toEqual(errorCodes.toSorted());
  for (const code of errorCodes) expect(sentenceOf({ code }, {}, true)).not.toBe('');
  expect(sentenceOf({ code: 'room/from-the-future' as 'room/full' }, {}, true)).toBe(sentences['server/failed']);
});

test('a screen may replace a sentence, and an offline device shows that it is offline', () => {
  expect(sentenceOf({ code: 'access/forbidden' }, { 'access/forbidden': 'No.' }, true)).toBe('No.');
  expect(sentenceOf({ code: 'server/unavailable' }, {}, true)).toContain("Can't reach the server");
  expect(sentenceOf({ code: 'server/unavailable' }, {}, false)).toContain('offline');
});

test.each([
  [1, 'Try again in 1 second.'],
  [1001, 'Try again in 2 seconds.'],
  [89_000, 'Try again in 89 seconds.'],
  [90_000, 'Try again in 2 minutes.'],
  [3_600_000, 'Try again in 60 minutes.'],
  [7_200_000, 'Try again in 2 hours.'],
])('a wait of %i ms is rounded up', (waitMs, sentence) => {
  expect(tryAgainIn(waitMs)).toBe(sentence);
});

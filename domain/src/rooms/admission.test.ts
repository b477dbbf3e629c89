/** Admission without the host's approval. */
import { admissions } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { comesInByThemselves } from './membership.ts';

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

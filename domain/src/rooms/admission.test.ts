/** Who comes in without the host's approval. */
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
/** The settings of the switch with which this person comes in. */
const lettingIn = (more: Partial<AdmissionFacts>) =>
  admissions.filter((admits) => comesInByThemselves({ ...facts, ...more, admits }));

test.each([
  ['a stranger', {}, ['everybody']],
  ['a soulmate or tunemate', { isFriend: true }, ['friends', 'everybody']],
  ['somebody invited just now', { invitedAtMs: facts.nowMs }, ['nobody', 'friends', 'invited', 'everybody']],
  [
    'somebody invited less than twelve hours ago',
    { invitedAtMs: facts.nowMs - 12 * hourMs + 1 },
    ['nobody', 'friends', 'invited', 'everybody'],
  ],
  ['somebody invited twelve hours ago', { invitedAtMs: facts.nowMs - 12 * hourMs }, ['invited', 'everybody']],
  ['whoever the host has blocked', { isBlocked: true, isFriend: true, invitedAtMs: facts.nowMs }, []],
] as const)('%s comes in as the switch and the invitation say (DOOR-1)', (_, more, expected) => {
  expect(lettingIn(more)).toEqual(expected);
});

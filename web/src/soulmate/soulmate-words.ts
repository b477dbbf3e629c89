/** Texts about soulmates. */
import { limits } from '@tunemate/protocol';
import type { Instead } from '../words/errors.ts';

export const soulmateWords = {
  label: 'Soulmate',
  add: 'Add your Soulmate',
  choose: 'Choose',
  chooseHint: 'Choose one of your tunemates.',
  question: 'Who is your soulmate?',
  consequence: 'They get a request and answer when they like. You can take it back until then.',
  noTunemates: 'Let someone into your room first: soulmates are chosen among tunemates.',
  hasOne: 'Has a soulmate',
  isAsked: 'Asked, waiting',
  cancel: 'Cancel',
  askNobody: 'Ask',
  sent: 'Invitation sent!',
  failed: 'That did not work',
  waitingFor: (when: string) => `Asked ${when}, waiting for`,
  today: 'today',
  onDay: (day: string) => `on ${day}`,
  takeBack: 'Take back',
  takeBackQuestion: (name: string) => `Take back your request to ${name}?`,
  takeBackConsequence: 'It leaves their notifications.',
  listen: 'Listen together',
  togetherName: (one: string, other: string) => `${one} & ${other}`,
  notInvited: (name: string) => `${name} was not invited`,
  leaveFirst: (room: string) => `Leave ${room} to listen together?`,
  leaveConsequence: (isHost: boolean) =>
    isHost
      ? 'You are the host. The room ends in 15 minutes unless you return.'
      : 'Your seat stays, and you can return.',
  leaveAction: 'Change rooms',
  login: 'Login to see your Soulmate',
  roomTitle: 'Soulmate Streaming Room',
  roomSoon: 'Coming soon: a room that only ever holds two.',
  band: 'Soulmate',
} as const;

const firstOf = (name: string): string => name.split(' ')[0] ?? name;

/** The name of a room for two, by their first names. */
export function nameTogether(one: string, other: string): string {
  const name = soulmateWords.togetherName(firstOf(one), firstOf(other));
  return Array.from(name).slice(0, limits.roomNameLength).join('');
}

const dayMs = 24 * 60 * 60 * 1000;
const weekday = { weekday: 'long' } as const;
const date = { day: 'numeric', month: 'long' } as const;

/** Completes 'Asked …, waiting for'. Both times of the server's clock. After six days a weekday would be ambiguous. */
export function askedWhen(atMs: number, nowMs: number): string {
  if (new Date(atMs).toDateString() === new Date(nowMs).toDateString()) return soulmateWords.today;
  return soulmateWords.onDay(new Intl.DateTimeFormat('en', nowMs - atMs < 6 * dayMs ? weekday : date).format(atMs));
}

/** When asking or accepting: the other person has a soulmate meanwhile, or their account was deleted. */
export const soulmateInstead: Instead = {
  'soulmate/taken': 'They already have a soulmate.',
  'soulmate/self-taken': 'You already have a soulmate.',
  'access/not-found': 'This request is no longer open.',
};

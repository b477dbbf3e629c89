/** Texts about soulmates. */
import { limits } from '@tunemate/protocol';
import type { Instead } from '../words/errors.ts';
import { locale, t } from '../language/t.ts';

export const soulmateWords = {
  label: t`Soulmate`,
  add: t`Add your Soulmate`,
  question: t`Who is your soulmate?`,
  consequence: t`They get a request and answer when they like. You can take it back until then.`,
  noTunemates: t`Let someone into your room first: soulmates are chosen among tunemates.`,
  isAsked: t`Asked, waiting`,
  askNobody: t`Ask`,
  failed: t`That did not work`,
  waitingFor: (when: string) => t`Asked ${when}, waiting for`,
  onDay: (day: string) => t`on ${day}`,
  takeBack: t`Take back`,
  togetherName: (one: string, other: string) => `${one} & ${other}`,
  leaveFirst: (room: string) => t`Leave ${room} to listen together?`,
  leaveConsequence: (isHost: boolean) =>
    isHost
      ? t`You are the host. The room ends in 15 minutes unless you return.`
      : t`Your seat stays, and you can return.`,
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
  if (new Date(atMs).toDateString() === new Date(nowMs).toDateString()) return t`today`;
  return soulmateWords.onDay(new Intl.DateTimeFormat(locale, nowMs - atMs < 6 * dayMs ? weekday : date).format(atMs));
}

/** When asking or accepting: the other person has a soulmate meanwhile, or their account was deleted. */
export const soulmateInstead: Instead = {
  'soulmate/taken': t`They already have a soulmate.`,
  'soulmate/self-taken': t`You already have a soulmate.`,
  'access/not-found': t`This request is no longer open.`,
};

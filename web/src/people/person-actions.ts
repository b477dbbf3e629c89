/** The actions of the user about one person, and the reason for each that is disabled. Pure; the server checks again. */
import { personSheetWords as words } from './person-words.ts';

export interface PersonFacts {
  readonly isTunemate: boolean;
  readonly isSoulmate: boolean;
  /** The user has a soulmate, this person or another. */
  readonly hasSoulmate: boolean;
  /** Null while that is not known. */
  readonly hasChat: boolean | null;
  readonly isBlockedByMe: boolean;
  readonly isGone: boolean;
  /** Their chat is what the user looks at. */
  readonly isChatOpen: boolean;
  /** The two are in one room. */
  readonly isHere: boolean;
}

/** Why something can't be done now; null when it can. */
export interface PersonActions {
  readonly chat: string | null;
  readonly invite: string | null;
  readonly soulmate: string | null;
}

export function actionsFor(facts: PersonFacts): PersonActions {
  return { chat: whyNoChat(facts), invite: whyNoInvitation(facts), soulmate: whyNotSoulmates(facts) };
}

const whyNeither = ({ isGone, isBlockedByMe }: PersonFacts): string | null =>
  isGone ? words.isGone : isBlockedByMe ? words.isBlocked : null;

function whyNoChat({ isChatOpen }: PersonFacts): string | null {
  return isChatOpen ? words.chatIsOpen : null;
}

function whyNoInvitation(facts: PersonFacts): string | null {
  const neither = whyNeither(facts);
  if (neither !== null) return neither;
  if (facts.isHere) return words.isHere;
  return facts.isTunemate || facts.isSoulmate ? null : words.onlyTunemates;
}

function whyNotSoulmates(facts: PersonFacts): string | null {
  if (facts.isSoulmate) return null;
  const neither = whyNeither(facts);
  if (neither !== null) return neither;
  if (facts.hasSoulmate) return words.partFirst;
  return facts.isTunemate || facts.hasChat !== false ? null : words.onlyAcquainted;
}

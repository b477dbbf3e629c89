/**
 * Who comes into a room without the host's approval. Pure: the caller loads the facts inside its transaction.
 */
import type { Admission } from '@tunemate/protocol';

/** How long an invitation by the host lets somebody in, whatever the room's switch says. */
export const invitationLetsInMs = 12 * 60 * 60 * 1000;

interface AdmissionFacts {
  /** The host's switch. */
  admits: Admission;
  /** The host's soulmate, or on one of the host's lists. Read only where the switch asks for it. */
  isFriend: boolean;
  /** When the host last invited this person to the room; null for never. */
  invitedAtMs: number | null;
  /** By the host. A blocked person waits like anyone else, so that the block is not revealed. */
  isBlocked: boolean;
  nowMs: number;
}

/** Whether this person comes in without being accepted. */
export function comesInByThemselves({ admits, isFriend, invitedAtMs, isBlocked, nowMs }: AdmissionFacts): boolean {
  if (isBlocked) return false;
  if (invitedAtMs !== null && nowMs - invitedAtMs < invitationLetsInMs) return true;
  const byTheSwitch: Record<Admission, boolean> = {
    nobody: false,
    friends: isFriend,
    // As long as the room lives.
    invited: invitedAtMs !== null,
    everybody: true,
  };
  return byTheSwitch[admits];
}

/** What a person is asked before they leave a room, and told when their visit is over. */
import type { RoomKind } from '@tunemate/protocol';
import { t } from '../../language/t.ts';
import type { Modals } from '../../ui/dialogs/modals.ts';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { sentences } from '../../words/errors.ts';
import { factsOf, joinLink } from '../room-kinds.ts';
import { removalLasts } from '../room-words.ts';
import type { RefusedReason, RoomStatus } from './room-model.ts';

/** The question before the tab, which visits one room at a time, changes rooms. */
export function changeRooms(name: string, isHost: boolean) {
  return {
    question: t`Leave ${name} for another room?`,
    consequence: isHost
      ? t`You are the host. The room ends in 15 minutes unless you return.`
      : t`You hear one room at a time. Your seat stays, and you can return.`,
    action: t`Change rooms`,
  };
}

/** The question before a person leaves a room. */
export function leaveRoom(name: string, isHost: boolean) {
  return {
    question: isHost ? t`Leave and end ${name}?` : t`Leave ${name}?`,
    consequence: isHost
      ? t`You are the host. The room closes for everyone in it.`
      : t`To come back you need the host to let you in again.`,
    action: t`Leave`,
    danger: true,
  };
}

/** Resolves to the address to go to after the message; null to stay. */
export async function showExitMessage(
  now: RoomStatus,
  kind: RoomKind,
  code: string,
  modals: Modals,
): Promise<string | null> {
  const facts = factsOf(kind);
  if (now.status === 'ended') {
    await modals.ok(facts.ended, { art: <LeavingAvatar code={code} />, band: facts.ink });
    return '/';
  }
  if (now.status === 'removed') {
    const text = now.howLong === null ? undefined : removalLasts[now.howLong];
    await modals.ok(sentences['room/removed'], { text, band: facts.ink });
    return '/';
  }
  if (now.status !== 'refused') return null;
  const exitMessage = refusedMessages(kind, code)[now.reason];
  await modals.ok(exitMessage.message, { band: facts.ink });
  return exitMessage.to;
}

function refusedMessages(kind: RoomKind, code: string): Record<RefusedReason, { message: string; to: string }> {
  return {
    'not-found': { message: t`Room not found`, to: '/' },
    failed: { message: t`The room could not be opened. Try again in a while.`, to: '/' },
    'not-member': { message: t`Access Denied! You must wait for host approval`, to: joinLink(kind, code) },
  };
}

/** The disc leaving its sleeve. */
function LeavingAvatar({ code }: { code: string }) {
  return <Sleeve code={code.toUpperCase()} record={<Vinyl pressed />} peek={0.86} size="116px" />;
}

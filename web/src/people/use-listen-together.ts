/** 'Listen together': opens an audio room, invites the soulmate into it, and goes there. */
import type { UserCard } from '@tunemate/protocol';
import { useLocation } from 'wouter';
import { useApp } from '../app-context.ts';
import { newClientId } from '../connection/ids.ts';
import { sentenceOf } from '../copy/errors.ts';
import { tunemateCopy } from '../tunemates/tunemate-words.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { nameTogether } from '../soulmate/name-together.ts';
import { soulmateCopy } from '../soulmate/soulmate-words.ts';

export function useListenTogether(): (self: UserCard, soulmate: UserCard) => Promise<void> {
  const { connection, visit } = useApp();
  const modals = useModals();
  const toast = useToast();
  const [, navigate] = useLocation();

  /** A tab visits one room at a time; asked before there is another one. */
  async function isFree(): Promise<boolean> {
    const room = visit.get()?.room ?? null;
    if (room === null) return true;
    const isSure = await modals.confirm({
      question: soulmateCopy.leaveFirst(room.name),
      consequence: soulmateCopy.leaveConsequence(room.isHost),
      action: soulmateCopy.leaveAction,
      band: 'blush',
    });
    if (isSure) visit.set(null);
    return isSure;
  }

  return async (self, { uid, name }) => {
    if (!(await isFree())) return;
    const kind = 'audio';
    const asked = { clientId: newClientId(), kind, name: nameTogether(self.name, name) } as const;
    const created = await connection.requestUntilAnswered('rooms/create', asked);
    if (!created.ok) return await modals.ok(soulmateCopy.failed, { text: sentenceOf(created.error), band: 'blush' });
    const { code } = created.value;
    const invitation = { clientId: newClientId(), uid, room: { kind, code } } as const;
    const invited = await connection.requestUntilAnswered('notifications/invite', invitation);
    navigate(`/audio-room/${code}`);
    if (invited.ok) toast(tunemateCopy.invitationSentTo(name));
    else await modals.ok(soulmateCopy.notInvited(name), { text: sentenceOf(invited.error), band: 'blush' });
  };
}

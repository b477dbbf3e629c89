/** A room for two: opens it, invites the other person into it, and goes there; with a track, that plays first; or with a queue. */
import { enqueueBatches, type NamedTrack, type RoomCode, type RoomKind, type UserCard } from '@tunemate/protocol';
import { navigate, usePath } from '../store/address.ts';
import { useApp } from '../app-context.ts';
import type { Connection } from '../connection/port.ts';
import { attempts } from '../connection/attempts.ts';
import { newClientId } from '../connection/ids.ts';
import { patience } from '../connection/retry.ts';
import { nameTogether, soulmateWords } from '../soulmate/soulmate-words.ts';
import type { FirstTrack } from '../store/first-track.ts';
import { tunemateWords } from '../tunemates/tunemate-words.ts';
import type { BandInk } from '../ui/inks.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { t } from '../language/t.ts';

interface Together {
  readonly self: UserCard;
  readonly other: UserCard;
  /** Of the screen on which it was pressed. */
  readonly band: BandInk;
  readonly kind?: RoomKind;
  readonly track?: NamedTrack;
  /** What the room has in its queue when it is entered; nothing plays by itself. */
  readonly queue?: readonly NamedTrack[];
}

const roomPaths: Record<RoomKind, string> = { video: '/tunemate/', audio: '/audio-room/' };

const creating = attempts();

/** A tab visits one room at a time: asks before it leaves the current one. Resolves to whether the tab is free. */
export function useLeaveFirst(): (selfUid: string, band: BandInk) => Promise<boolean> {
  const { visit } = useApp();
  const modals = useModals();
  return async (selfUid, band) => {
    const room = visit.get()?.room.state.get()?.room;
    if (room === undefined) return true;
    const isSure = await modals.confirm({
      question: soulmateWords.leaveFirst(room.name),
      consequence: soulmateWords.leaveConsequence(room.host === selfUid),
      action: t`Change rooms`,
      band,
    });
    if (isSure) visit.end();
    return isSure;
  };
}

async function enqueue(
  connection: Connection,
  room: { kind: RoomKind; code: RoomCode },
  queue: readonly NamedTrack[],
): Promise<void> {
  const { tabId } = connection;
  await connection.requestUntilAnswered('playback/takeControl', { ...room, tabId }, patience());
  const tracks = queue.map(({ videoId, title, durationSeconds }) => ({ videoId, title, durationSeconds }));
  for (const items of enqueueBatches(tracks)) {
    const intent = { type: 'enqueueAll', items } as const;
    const write = { ...room, tabId, clientId: newClientId(), intent };
    await connection.requestUntilAnswered('playback/write', write, patience());
  }
}

export function useListenTogether(): (together: Together) => Promise<void> {
  const { connection } = useApp();
  const toast = useToast();
  const answerOf = useAnswerOf();
  const address = usePath();
  const isFree = useLeaveFirst();

  return async ({ self, other: { uid, name }, band, kind = 'audio', track, queue = [] }) => {
    if (!(await isFree(self.uid, band))) return;
    const roomName = nameTogether(self.name, name);
    const creation = creating([kind, roomName, uid], (clientId) =>
      connection.requestUntilAnswered('rooms/create', { clientId, kind, name: roomName }, patience()),
    );
    const created = await answerOf(creation, { failed: soulmateWords.failed, band });
    if (created === null) return;
    const { code } = created;
    if (queue.length > 0) await enqueue(connection, { kind, code }, queue);
    const invitation = { clientId: newClientId(), uid, room: { kind, code } };
    const invited = connection.requestUntilAnswered('notifications/invite', invitation, patience());
    await invited;
    const first: FirstTrack | null = track ? { first: track } : null;
    // A user who is on another screen by now stays there; home lists the room.
    if (location.pathname === address) navigate(roomPaths[kind] + code, { state: first });
    if (!(await answerOf(invited, { failed: t`${name} was not invited`, band }))) return;
    // The two hold the remote together, from before the other is here.
    void connection.requestUntilAnswered('rooms/lendRemote', { kind, code, uid, isLent: true }, patience());
    toast(tunemateWords.invitationSentTo(name));
  };
}

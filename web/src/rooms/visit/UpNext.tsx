/** Below the player: the queue and proposals; and what this tab can do with a track. */
import type { NamedTrack, RoomDocument } from '@tunemate/protocol';
import { Suspense } from 'react';
import { useApp } from '../../app-context.ts';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { newClientId } from '../../connection/ids.ts';
import { sentenceOf } from '../../words/errors.ts';
import { QueueList } from '../../playback/deck/QueueList.tsx';
import { queueEmpty } from '../../playback/playback-words.ts';
import type { Control, PlaybackView } from '../../playback/playback-view.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { proposedWords } from '../proposals/proposal-words.ts';
import { factsOf, type RoomPanels } from '../room-kinds.ts';
import type { RoomView } from './visit.ts';
import { t } from '../../language/t.ts';

const ProposalsPanel = lazyPart(async () => (await import('../proposals/ProposalsPanel.tsx')).ProposalsPanel);

/** Whether the queue is worth a panel; where there are suggestions, only once it is used. */
const showsQueue: Record<RoomPanels['upNext'], (view: PlaybackView) => boolean> = {
  queue: () => true,
  suggestions: ({ playing }) => playing.queue.length > 1 || playing.afterTrack === 'queue',
};

/** The controlling tab chooses and queues; guests propose, or add where everyone can; other tabs do neither. */
export function useTracks({ parts: { playback }, state: { room } }: Pick<RoomView, 'parts' | 'state'>): TrackUse {
  const onPropose = usePropose(room);
  const { control } = useReadable(playback.view);
  const { choose, enqueue, enqueueNext, enqueueAll, dequeueAll } = playback.host;
  const mine = {
    onChoose: choose,
    onEnqueue: enqueue,
    onEnqueueNext: enqueueNext,
    onEnqueueAll: enqueueAll,
    onDequeueAll: dequeueAll,
  };
  const uses: Partial<Record<Control, TrackUse>> = { mine, guest: { onPropose, everyoneAdds: room.everyoneAdds } };
  return uses[control] ?? {};
}

export function Queue({
  kind,
  state: { room },
  parts: { playback },
  self,
}: Pick<RoomView, 'kind' | 'parts' | 'state' | 'self'>) {
  const { formatTime, panels } = factsOf(kind);
  const view = useReadable(playback.view);
  const takeBack = useTakeBack(room);
  if (!showsQueue[panels.upNext](view)) return null;
  return (
    <QueueList
      model={playback}
      formatTime={formatTime}
      nameOf={(uid) => room.participants.find((person) => person.uid === uid)?.name}
      emptyWords={emptyWords(view.control, room.everyoneAdds)}
      selfUid={self.uid}
      onTakeBack={takeBack}
    />
  );
}

function emptyWords(control: Control, everyoneAdds: boolean): string {
  if (control === 'mine') return queueEmpty.choose;
  if (control !== 'guest') return queueEmpty.wait;
  return everyoneAdds ? queueEmpty.add : queueEmpty.propose;
}

/** Takes an own track out of the queue again. */
function useTakeBack({ kind, code }: Pick<RoomDocument, 'kind' | 'code'>): (track: NamedTrack) => void {
  const { connection } = useApp();
  const modals = useModals();
  const toast = useToast();
  return ({ videoId, title }) => {
    void connection.request('playback/takeBack', { kind, code, videoId }).then(async (answer) => {
      if (answer.ok) toast(t`${title} taken back`);
      else await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
    });
  };
}

export function ProposalsPlace({ state: { room, ownVotes }, self }: Pick<RoomView, 'state' | 'self'>) {
  return (
    room.proposals.length > 0 && (
      <Suspense>
        <ProposalsPanel room={room} ownVotes={ownVotes} selfUid={self.uid} />
      </Suspense>
    )
  );
}

function usePropose({ kind, code }: Pick<RoomDocument, 'kind' | 'code'>): (track: NamedTrack) => void {
  const { connection } = useApp();
  const modals = useModals();
  const toast = useToast();
  return ({ videoId, title, durationSeconds, startSeconds }) => {
    const track = { videoId, title, durationSeconds, ...(startSeconds !== undefined && { startSeconds }) };
    void connection
      .request('rooms/propose', { kind, code, clientId: newClientId(), track })
      .then(async (answer) =>
        answer.ok
          ? toast(proposedWords[answer.value.outcome])
          : await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink }),
      );
  };
}

/** What this tab can do with a track that was found. */
import type { NamedTrack, RoomDocument, VideoId } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import type { Standing, TrackUse } from '../../catalogue/ProposeButton.tsx';
import { newClientId } from '../../connection/ids.ts';
import { type Control, named } from '../../playback/playback-view.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { proposedWords } from '../proposals/proposal-words.ts';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import type { RoomView } from './visit.ts';

/** The controlling tab chooses and queues; guests propose, or add where everyone can; other tabs do neither. */
export function useTracks({ parts: { playback }, state: { room } }: Pick<RoomView, 'parts' | 'state'>): TrackUse {
  const onPropose = usePropose(room);
  const { control, playing } = useReadable(playback.view);
  const { everyoneAdds } = room;
  const standingOf = (videoId: VideoId): Standing => {
    if (playing.queue.slice(playing.currentIndex + 1).some((track) => track.videoId === videoId)) return 'inQueue';
    // Where everyone can add, a track that was proposed before can still be added.
    return !everyoneAdds && room.proposals.some(({ track }) => track.videoId === videoId) ? 'proposed' : null;
  };
  const { choose, enqueue, enqueueNext, enqueueAll, dequeueAll } = playback.host;
  const toast = useToast();
  // The queue may be out of sight.
  const say = async (adding: Promise<boolean>): Promise<boolean> => {
    const isIn = await adding;
    if (isIn) toast(proposedWords.queued);
    return isIn;
  };
  const mine: TrackUse = {
    onChoose: choose,
    onEnqueue: (track) => say(enqueue(track)),
    onEnqueueNext: (track) => say(enqueueNext(track)),
    onEnqueueAll: enqueueAll,
    onDequeueAll: dequeueAll,
    standingOf,
  };
  const uses: Partial<Record<Control, TrackUse>> = {
    mine,
    remote: mine,
    guest: { onPropose, everyoneAdds, standingOf },
  };
  return uses[control] ?? {};
}

function usePropose({ kind, code }: Pick<RoomDocument, 'kind' | 'code'>): (track: NamedTrack) => Promise<boolean> {
  const { connection } = useApp();
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const toast = useToast();
  return async (found) => {
    const track = named(found);
    const answer = await answerOf(connection.request('rooms/propose', { kind, code, clientId: newClientId(), track }));
    if (answer) toast(proposedWords[answer.outcome]);
    return answer !== null;
  };
}

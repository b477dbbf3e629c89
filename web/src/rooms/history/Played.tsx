/** Below the queue of a room: the key to saved queues, and what the room has played. */
import type { Payload, Result, Value } from '@tunemate/protocol';
import { useCallback, useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { addedToQueue } from '../../catalogue/adding-words.ts';
import { asking } from '../../store/asking.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useNow } from '../../store/use-now.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { Section } from '../../ui/lists/Section.tsx';
import type { RoomView } from '../visit/visit.ts';
import { historyWords, sinceWhen } from './history-words.ts';
import { PlayedList } from './PlayedList.tsx';
import { t } from '../../language/t.ts';

const SavedQueues = lazyPart(async () => (await import('../queues/SavedQueues.tsx')).SavedQueues);

export interface PlayedProps extends Pick<RoomView, 'parts' | 'state'> {
  use: TrackUse;
}

export function Played(props: PlayedProps) {
  const { state, use } = props;
  /** The sheet is open, and saves this. */
  const [saves, setSaves] = useState<Payload<'queues/save'>['of'] | null>(null);
  return (
    <>
      <ButtonGroup inline>
        <Button small onClick={() => setSaves('queue')}>
          {t`Saved queues`}
        </Button>
      </ButtonGroup>
      <PlayedTracks {...props} onSave={() => setSaves('played')} />
      {saves !== null && <SavedQueues room={state.room} of={saves} use={use} onClose={() => setSaves(null)} />}
    </>
  );
}

function PlayedTracks({ parts: { playback }, state: { room }, use, onSave }: PlayedProps & { onSave: () => void }) {
  const { kind, code } = room;
  const { connection, serverNowMs } = useApp();
  const nowMs = useNow(serverNowMs);
  const toast = useToast();
  const { track, timeline } = useReadable(playback.view).playing;
  const ask = useCallback(
    (before?: number) => connection.request('rooms/played', { kind, code, ...(before !== undefined && { before }) }),
    [connection, kind, code],
  );
  const playing = timeline.isPlaying ? timeline.trackKey : null;
  const read = useCallback(
    (signal: AbortSignal) => connection.requestUntilAnswered('rooms/played', { kind, code }, { signal }),
    [connection, kind, code],
  );
  const played = usePlayed(read, playing);
  // What plays now is shown by the player.
  const now = played?.tracks[0]?.videoId === playing ? 1 : 0;
  const total = (played?.total ?? 0) - now;
  if (played === null || played.from === null || total === 0) return null;
  // The title of a video may be known only since it plays.
  const tracks = played.tracks
    .slice(now)
    .map((each) => (each.videoId === track?.videoId ? { ...each, title: track.title } : each));
  return (
    <Section title={historyWords.title} count={sinceWhen(total, played.from, nowMs)} panel>
      <PlayedList
        tracks={tracks}
        total={total}
        ask={ask}
        again={againOf(use)}
        onAddAll={
          use.onEnqueueAll &&
          (async (all) => {
            const added = (await use.onEnqueueAll?.(all)) ?? 0;
            toast(addedToQueue(added, all.length - added));
          })
        }
      >
        <Button variant="ghost" small onClick={onSave}>
          {t`Save as a queue`}
        </Button>
      </PlayedList>
    </Section>
  );
}

function againOf({ onEnqueue, onPropose, everyoneAdds = false }: TrackUse) {
  if (onEnqueue) return { label: historyWords.addAgain, add: onEnqueue };
  if (!onPropose) return undefined;
  return { label: everyoneAdds ? historyWords.addAgain : historyWords.proposeAgain, add: onPropose };
}

type Known = Value<'rooms/played'>;

/** Read anew when another track plays than the last one known. */
function usePlayed(read: (signal: AbortSignal) => Promise<Result<Known>>, playing: string | null): Known | null {
  const [played, setPlayed] = useState<Known | null>(null);
  const [latest, setLatest] = useState(playing);
  // A pause does not end the reading of what began before it.
  if (playing !== null && playing !== latest) setLatest(playing);
  const isRead = played !== null;
  const last = played?.tracks[0]?.videoId ?? null;
  useEffect(() => {
    if (isRead && (latest === null || latest === last)) return undefined;
    return asking(read, (answer) => {
      if (answer.ok) setPlayed(answer.value);
    });
  }, [read, isRead, latest, last]);
  return played;
}

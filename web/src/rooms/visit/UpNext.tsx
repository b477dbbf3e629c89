/** Below the player: the queue, proposals and suggestions. */
import type { NamedTrack, QueuedTrack, RoomDocument } from '@tunemate/protocol';
import { useId, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { type Control, mayPress, type PlaybackView } from '../../playback/playback-view.ts';
import { cell } from '../../store/cell.ts';
import { laterPart, lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { List } from '../../ui/lists/List.tsx';
import { MediaRow } from '../../ui/lists/MediaRow.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { factsOf, type RoomPanels } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import type { InPanel } from '../in-panel.ts';
import type { Edit } from './QueueRowKeys.tsx';
import layout from './RoomLayout.module.css';
import styles from './UpNext.module.css';
import type { RoomView } from './visit.ts';
import { type Elements, OwnText } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const RowKeys = lazyPart(async () => (await import('./QueueRowKeys.tsx')).QueueRowKeys);
const AfterEdit = lazyPart(async () => (await import('./QueueRowKeys.tsx')).AfterEdit);
const QueueFacts = lazyPart(async () => (await import('./QueueFacts.tsx')).QueueFacts);
const BelowQueue = laterPart(async () => (await import('./BelowQueue.tsx')).BelowQueue);
const ProposalsPanel = lazyPart(async () => (await import('../proposals/ProposalsPanel.tsx')).ProposalsPanel);

/** Whether the queue is worth a panel; where there are suggestions, only once it is used. */
const showsQueue: Record<RoomPanels['upNext'], (view: PlaybackView) => boolean> = {
  queue: () => true,
  suggestions: ({ playing }) => playing.queue.length > 1 || playing.afterTrack === 'queue',
};

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
      whenEmpty={emptyWords(view.control, room.everyoneAdds)}
      selfUid={self.uid}
      onTakeBack={takeBack}
    />
  );
}

function emptyWords(control: Control, everyoneAdds: boolean): string {
  if (mayPress({ control })) return t`Nothing queued yet. Search and choose something.`;
  if (control !== 'guest') return t`Nothing queued yet.`;
  return everyoneAdds
    ? t`Nothing queued yet. Search and add something.`
    : t`Nothing queued yet. Search and propose something.`;
}

/** Only the controlling tab can act on all rows. */
interface QueueListProps {
  model: PlaybackModel;
  formatTime: (seconds: number) => string;
  /** Undefined for a member who has left. */
  nameOf: (uid: string) => string | undefined;
  /** What this person can do about an empty queue. */
  whenEmpty: string;
  selfUid: string;
  onTakeBack: (track: QueuedTrack) => void;
}

/** The room whose queue is edited: the list is made anew where a tablet is turned, and the editing goes on. */
const edited = cell<PlaybackModel | null>(null);

/**
 * The host presses a row to play it; each that does not play has keys to play it next and to remove it, and 'Edit' shows
 * what to drag and move all with. Guests take their own tracks back.
 */
function QueueList({ model, formatTime, nameOf, whenEmpty, selfUid, onTakeBack }: QueueListProps) {
  const { playing, control } = useReadable(model.view);
  const isEditing = useReadable(edited) === model;
  const { queue, currentIndex } = playing;
  const canAct = mayPress({ control });
  const keys = keysOf(queue);
  const list = useRef<HTMLElement>(null);
  const [made, setMade] = useState<Edit | null>(null);
  const edit = canAct && queue.length > 0 && (
    <Button variant="ghost" small onClick={() => edited.set(isEditing ? null : model)}>
      {isEditing ? t`Done` : t`Edit`}
    </Button>
  );
  return (
    <Section title={t`Queue`} count={<QueueFacts queue={queue} fallback={queue.length} />} action={edit} panel>
      {queue.length === 0 && <p className={styles.empty}>{whenEmpty}</p>}
      {canAct && <AfterEdit {...{ made, queue, list }} />}
      <List ordered label={t`Queue`} listRef={list}>
        {queue.map((track, index) => (
          <li
            key={keys[index]}
            className={styles.item}
            style={isEditing ? undefined : index === currentIndex && canAct ? inPlaceOfKeys : besideKeys}
          >
            <MediaRow
              title={track.title}
              id={track.videoId}
              pictureUrl={track.thumbnail ?? undefined}
              number={index + 1}
              current={index === currentIndex}
              currentLabel={playbackSentences.nowPlaying}
              length={track.durationSeconds === null ? undefined : shortOf(formatTime(track.durationSeconds))}
              detail={proposerOf(track, nameOf)}
              onPress={canAct && !isEditing ? () => model.host.jump(index) : undefined}
            />
            {!canAct && index > currentIndex && track.proposedBy === selfUid && (
              <Button variant="ghost" small aria-label={t`Take back ${track.title}`} onClick={() => onTakeBack(track)}>
                {t`Take back`}
              </Button>
            )}
            {canAct && (isEditing || index !== currentIndex) && (
              <RowKeys
                className={styles.keys}
                {...{ model, index, queue, currentIndex, isEditing }}
                title={track.title}
                onEdit={setMade}
              />
            )}
          </li>
        ))}
      </List>
    </Section>
  );
}

/** Two keys stand beside the title where they leave it space, as on most phones, else below it. */
const besideKeys = { '--title': '13rem' } as const;
/** The length of the current track stands above those of the others. */
const inPlaceOfKeys = { '--keys': 'calc(2 * var(--touch) + 4px)' } as const;

/** A moved row keeps its key, and so its focus. A video can be in the queue twice. */
function keysOf(queue: readonly QueuedTrack[]): string[] {
  const seen = new Map<string, number>();
  return queue.map(({ videoId }) => {
    const nth = (seen.get(videoId) ?? 0) + 1;
    seen.set(videoId, nth);
    return `${videoId} ${nth}`;
  });
}

/** Of a length under an hour, without the hours. */
const shortOf = (length: string): string => length.replace(/^00:(?=.*:)/, '');

/** 'proposed by Kenji' */
function proposerOf({ proposedBy }: QueuedTrack, nameOf: QueueListProps['nameOf']): string | undefined {
  const proposer = proposedBy && nameOf(proposedBy);
  return proposer ? t`proposed by ${proposer}` : undefined;
}

/** Takes an own track out of the queue again. */
function useTakeBack({ kind, code }: Pick<RoomDocument, 'kind' | 'code'>): (track: NamedTrack) => void {
  const { connection } = useApp();
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const toast = useToast();
  return ({ videoId, title }) =>
    void answerOf(connection.request('playback/takeBack', { kind, code, videoId })).then(
      (answer) => answer && toast(t`${title} taken back`),
    );
}

interface NextProps extends Omit<InPanel, 'finding'> {
  /** In the place of everything else. */
  library: Elements;
}

/** Queue and proposals, which a guest has the other way round, and suggestions where they have no panel of their own. */
export function Next({ library, ...props }: NextProps) {
  const { state, self, parts, hasBoard } = props;
  const { room, ownVotes } = state;
  const { control } = useReadable(parts.playback.view);
  const isGuest = control === 'guest';
  const queue = !hasBoard && <Queue key="queue" {...props} />;
  const proposals = (isGuest || room.host !== self.uid) && room.proposals.length > 0 && (
    <ProposalsPanel key="proposals" room={room} ownVotes={ownVotes} selfUid={self.uid} />
  );
  return (
    <>
      {library && <Coming model={parts.playback} />}
      <div className={layout.next} data-panel="next">
        <div className={layout.columns}>
          <OwnText>{library || (isGuest ? [proposals, queue] : [queue, proposals])}</OwnText>
        </div>
        {!library && !props.sidebar.panels.isChatColumn && <BelowQueue {...props} />}
      </div>
    </>
  );
}

const shownComing = 3;

/** What comes next, below the player while the library has the queue's place. */
function Coming({ model }: { model: PlaybackModel }) {
  const id = useId();
  const { queue, currentIndex } = useReadable(model.view).playing;
  const coming = queue.slice(currentIndex + 1, currentIndex + 1 + shownComing);
  if (coming.length === 0) return null;
  return (
    <section className={styles.coming} aria-labelledby={id}>
      <h2 id={id}>{t`Next`}</h2>
      <List ordered bleed>
        {coming.map(({ videoId, title, thumbnail }, index) => (
          <li key={index}>
            <MediaRow title={title} id={videoId} pictureUrl={thumbnail ?? undefined} />
          </li>
        ))}
      </List>
    </section>
  );
}

/** Beside the column of the chat, which leaves the desk room for it; elsewhere it stands below the queue. */
export const Suggested = ({ finding, ...props }: InPanel) =>
  props.sidebar.panels.isChatColumn &&
  finding.library !== 'stage' && (
    <div className={layout.next} data-panel="suggested">
      <BelowQueue {...props} />
    </div>
  );

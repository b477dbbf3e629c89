/** The user's live rooms: a link into each, and End for the rooms that the user hosts. */
import type { Result, Value, YourRoom } from '@tunemate/protocol';
import { useCallback } from 'react';
import { useApp } from '../app-context.ts';
import type { Connection } from '../connection/port.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { clockTime } from '../words/dates.ts';
import { factsOf } from '../rooms/room-kinds.ts';
import { isVisitTo } from '../rooms/visit/current-visit.ts';
import type { Cell, Readable } from '../store/cell.ts';
import { useAtRest } from './use-at-rest.ts';
import { useModel } from '../store/use-model.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { ChevronRightIcon } from '../ui/icons/inside-icons.tsx';
import { List } from '../ui/lists/List.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import styles from './YourRooms.module.css';
import { useNow } from '../store/use-now.ts';
import { t } from '../language/t.ts';

/** Null until they are known: home waits for them, so that the list moves nothing when it appears. */
export function useYourRooms() {
  const { connection, visit, yourRooms } = useApp();
  const model = useModel(
    useCallback(() => openYourRooms(connection, visit, yourRooms), [connection, visit, yourRooms]),
  );
  const rooms = useAtRest(useReadable(yourRooms));
  return rooms === null ? null : { rooms, model };
}

interface YourRoomsProps {
  selfUid: string;
  rooms: readonly YourRoom[];
  /** Null while home is drawn for the first time. */
  model: YourRoomsModel | null;
}

export function YourRooms({ selfUid, rooms, model }: YourRoomsProps) {
  if (rooms.length === 0) return null;
  return (
    <Section title={yourRoomsWords.title} count={rooms.length} flush>
      <div className={styles.rooms}>
        <List label={yourRoomsWords.title}>
          {rooms.map((room) => (
            <li key={`${room.kind} ${room.code}`}>
              <Entry room={room} isMine={room.host === selfUid} isOnly={rooms.length === 1} model={model} />
            </li>
          ))}
        </List>
      </div>
    </Section>
  );
}

interface EntryProps {
  room: YourRoom;
  isMine: boolean;
  /** A single entry has space for a word beside its arrow on wide screens. */
  isOnly: boolean;
  model: YourRoomsModel | null;
}

function Entry({ room, isMine, isOnly, model }: EntryProps) {
  const modals = useModals();
  const answerOf = useAnswerOf({ failed: t`The room could not be ended` });
  const nowMs = useNow(useApp().serverNowMs);
  // The list may be older than the user's return to the room, as after a reload.
  const endsAt = isVisitTo(useReadable(useApp().visit), room) ? null : room.endsAt;
  const { ink, roomPath } = factsOf(room.kind);
  const end = async (): Promise<void> => {
    const isConfirmed = await modals.confirm({
      question: t`End ${room.name}?`,
      consequence: t`The room closes for everyone in it.`,
      action: yourRoomsWords.end,
      danger: true,
    });
    if (isConfirmed && model) await answerOf(model.end(room));
  };
  return (
    <div className={styles.entry} style={{ '--band': `var(--${ink})` }}>
      <Sleeve
        code={room.code}
        pictureUrl={room.thumbnail ?? undefined}
        record={<Vinyl pressed spinning={room.isPlaying} />}
        size="52px"
      />
      <div className={styles.words}>
        <strong className="name" dir="auto">
          {room.name}
        </strong>
        <span>
          <span>
            <bdi>{isMine ? t`You host` : room.hostName}</bdi>
            <span>{yourRoomsWords.people(room)}</span>
          </span>
        </span>
        {endsAt === null ? (
          <span dir="auto">{yourRoomsWords.playing(room)}</span>
        ) : (
          <span>{yourRoomsWords.ends(clockTime(endsAt, nowMs))}</span>
        )}
      </div>
      <ButtonLink
        href={roomPath(room.code)}
        small
        aria-label={t`Return to ${room.name}`}
        endIcon={<ChevronRightIcon />}
      >
        {isOnly && <span className={styles.word}>{t`Return`}</span>}
      </ButtonLink>
      {isMine && (
        <Button variant="danger" small aria-label={t`End ${room.name}`} onClick={() => void end()}>
          {yourRoomsWords.end}
        </Button>
      )}
    </div>
  );
}

interface YourRoomsModel {
  end(room: YourRoom): Promise<Result<Value<'rooms/leave'>>>;
  close(): void;
}

function openYourRooms(
  connection: Connection,
  visit: Readable<unknown>,
  rooms: Cell<readonly YourRoom[] | null>,
): YourRoomsModel {
  const stopping = new AbortController();
  const take = (answer: Result<Value<'rooms/mine'>>): void => {
    if (stopping.signal.aborted) return;
    // After a refusal home shows the previous list, or none, instead of waiting.
    rooms.set(answer.ok ? answer.value.rooms : (rooms.get() ?? []));
  };
  const refresh = async (): Promise<void> => take(await connection.request('rooms/mine', {}));
  let isFirstAsked = false;
  /** With the hello, and not behind its answer. */
  const askFirst = async (): Promise<void> => {
    isFirstAsked = true;
    take(await connection.requestUntilAnswered('rooms/mine', {}, { signal: stopping.signal }));
    isFirstAsked = false;
  };
  const refreshWhenLive = (): void => {
    const { status } = connection.status.get();
    // Home does not wait for a network.
    if (status === 'reconnecting') rooms.set(rooms.get() ?? []);
    else if (isFirstAsked) return;
    else if (status === 'connecting') void askFirst();
    else if (status === 'live') void refresh();
  };
  refreshWhenLive();
  // The user may leave a room while home is shown: the bar of the room stands below it.
  const ends = [connection.status, visit].map((source) => source.subscribe(refreshWhenLive));
  return {
    async end({ kind, code }) {
      const answer = await connection.request('rooms/leave', { kind, code, ends: true });
      await refresh();
      return answer;
    },
    close() {
      stopping.abort();
      ends.forEach((end) => end());
      rooms.set(null);
    },
  };
}

const yourRoomsWords = {
  title: t`Your rooms`,
  end: t`End`,
  people: ({ people }: YourRoom): string => ` · ${people <= 1 ? t`nobody else` : t`${String(people)} people`}`,
  ends: (at: string) => t`Ends at ${at} unless you return`,
  playing: ({ title, isPlaying }: YourRoom): string => {
    if (title === null) return t`No music selected`;
    return isPlaying ? title : t`Paused: ${title}`;
  },
} as const;

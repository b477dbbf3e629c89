/** On home below all else: rooms of the user that ended, to open again, and what the user's rooms have played. */
import type { EndedRoom } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { useApp, useUser } from '../../app-context.ts';
import { attempts } from '../../connection/attempts.ts';
import { patience } from '../../connection/retry.ts';
import { useLeaveFirst } from '../../people/listen-together.ts';
import { navigate } from '../../store/address.ts';
import { asking } from '../../store/asking.ts';
import { useBusy } from '../../store/use-busy.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { dayLabel } from '../../words/dates.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { factsOf } from '../room-kinds.ts';
import styles from './Before.module.css';
import { Histories } from './Histories.tsx';
import { beforeWords } from './history-words.ts';
import { t } from '../../language/t.ts';

const fewRooms = 6;
const opening = attempts();

export function Before() {
  const { connection } = useApp();
  const [rooms, setRooms] = useState<readonly EndedRoom[]>([]);
  const openAgain = useOpenAgain((gone) => setRooms((known) => known.filter((room) => room !== gone)));
  useEffect(
    () =>
      asking(
        (signal) => connection.requestUntilAnswered('rooms/before', {}, { signal }),
        (answer) => {
          if (answer.ok) setRooms(answer.value.rooms);
        },
      ),
    [connection],
  );
  return (
    <>
      <EndedRooms rooms={rooms} onOpenAgain={openAgain} />
      <Histories ended={rooms} onOpenAgain={openAgain} />
    </>
  );
}

/** Opens the room and goes there. `onGone`: it can't be opened any more. */
function useOpenAgain(onGone: (room: EndedRoom) => void): (room: EndedRoom) => Promise<void> {
  const { connection } = useApp();
  const { uid } = useUser();
  const toast = useToast();
  const answerOf = useAnswerOf();
  const isFree = useLeaveFirst();
  return async (room) => {
    const { ink: band, roomPath } = factsOf(room.kind);
    if (!(await isFree(uid, band))) return;
    const opened = opening([room.roomId], (clientId) =>
      connection.requestUntilAnswered('rooms/openAgain', { clientId, roomId: room.roomId }, patience()),
    );
    const answer = await answerOf(opened, { failed: beforeWords.failed, band });
    if (answer === null) {
      const refusal = await opened;
      if (!refusal.ok && refusal.error.code === 'access/not-found') onGone(room);
      return;
    }
    if (answer.invited > 0) toast(beforeWords.invited(answer.invited));
    navigate(roomPath(answer.code));
  };
}

interface EndedRoomsProps {
  rooms: readonly EndedRoom[];
  onOpenAgain: (room: EndedRoom) => Promise<void>;
}

function EndedRooms({ rooms, onOpenAgain }: EndedRoomsProps) {
  const { serverNowMs } = useApp();
  const nowMs = useNow(serverNowMs);
  const [isWhole, setIsWhole] = useState(false);
  const { isBusy, run } = useBusy();
  if (rooms.length === 0) return null;
  return (
    <Section title={beforeWords.title} flush>
      <div className={styles.rooms}>
        <List label={beforeWords.title}>
          {rooms.slice(0, isWhole ? undefined : fewRooms).map((room) => (
            <li key={room.roomId} data-band={factsOf(room.kind).ink}>
              <Row
                lead={<Sleeve code={room.code} pictureUrl={room.thumbnail ?? undefined} size="52px" />}
                title={room.name}
                detail={endedDetail(room, nowMs)}
                trail={
                  <Button
                    small
                    busy={isBusy}
                    aria-label={beforeWords.openAgainOf(room.name)}
                    onClick={() => run(() => onOpenAgain(room))}
                  >
                    {beforeWords.openAgain}
                  </Button>
                }
              />
            </li>
          ))}
        </List>
      </div>
      {!isWhole && rooms.length > fewRooms && (
        <Button variant="ghost" small onClick={() => setIsWhole(true)}>{t`Show all ${String(rooms.length)}`}</Button>
      )}
    </Section>
  );
}

/** 'Video · Yesterday · 7 tracks left' */
const endedDetail = ({ kind, endedAt, left }: EndedRoom, nowMs: Now): string =>
  [beforeWords.kinds[kind], dayLabel(endedAt, nowMs), left > 0 && beforeWords.left(left)].filter(Boolean).join(' · ');

/** On home below all else: rooms of the user that ended, to open again, and what the user's rooms have played. */
import type { EndedRoom } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { asking } from '../../store/asking.ts';
import { useBusy } from '../../store/use-busy.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { PictureIcon } from '../../ui/icons/page-icons.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { dayLabel } from '../../words/dates.ts';
import { factsOf } from '../room-kinds.ts';
import styles from './Before.module.css';
import { Histories } from './Histories.tsx';
import { beforeWords } from './history-words.ts';
import { useOpenAgain } from './use-open-again.ts';
import { t } from '../../language/t.ts';

const Print = lazyPart(async () => (await import('./Print.tsx')).Print);

const fewRooms = 6;

export function Before() {
  const { connection, yourRooms } = useApp();
  const [rooms, setRooms] = useState<readonly EndedRoom[]>([]);
  const openAgain = useOpenAgain((gone) => setRooms((known) => known.filter((room) => room !== gone)));
  useEffect(() => {
    const ask = () =>
      asking(
        (signal) => connection.requestUntilAnswered('rooms/before', {}, { signal }),
        (answer) => {
          if (answer.ok) setRooms(answer.value.rooms);
        },
      );
    let stop = ask();
    let before = yourRooms.get();
    const end = yourRooms.subscribe(() => {
      const now = yourRooms.get();
      // One that has left the user's rooms may have ended, and stands here then.
      const isOneGone = now && before?.some(({ code }) => !now.some((room) => room.code === code));
      before = now;
      if (!isOneGone) return;
      stop();
      stop = ask();
    });
    return () => {
      stop();
      end();
    };
  }, [connection, yourRooms]);
  return (
    <>
      <EndedRooms rooms={rooms} onOpenAgain={openAgain} />
      <Histories ended={rooms} onOpenAgain={openAgain} />
    </>
  );
}

interface EndedRoomsProps {
  rooms: readonly EndedRoom[];
  onOpenAgain: (room: EndedRoom) => Promise<void>;
}

function EndedRooms({ rooms, onOpenAgain }: EndedRoomsProps) {
  const { serverNowMs } = useApp();
  const nowMs = useNow(serverNowMs);
  const [isWhole, setIsWhole] = useState(false);
  const [printed, setPrinted] = useState<EndedRoom | null>(null);
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
                  <>
                    <IconButton
                      label={beforeWords.printOf(room.name)}
                      icon={<PictureIcon />}
                      onClick={() => setPrinted(room)}
                    />
                    <Button
                      small
                      busy={isBusy}
                      aria-label={beforeWords.openAgainOf(room.name)}
                      onClick={() => run(() => onOpenAgain(room))}
                    >
                      {beforeWords.openAgain}
                    </Button>
                  </>
                }
              />
            </li>
          ))}
        </List>
      </div>
      {!isWhole && rooms.length > fewRooms && (
        <Button variant="ghost" small onClick={() => setIsWhole(true)}>{t`Show all ${String(rooms.length)}`}</Button>
      )}
      {printed && <Print room={printed} onClose={() => setPrinted(null)} />}
    </Section>
  );
}

/** 'Video · Yesterday · 7 tracks left' */
const endedDetail = ({ kind, endedAt, left }: EndedRoom, nowMs: Now): string =>
  [beforeWords.kinds[kind], dayLabel(endedAt, nowMs), left > 0 && beforeWords.left(left)].filter(Boolean).join(' · ');

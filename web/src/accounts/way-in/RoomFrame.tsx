/** The frame of the way to a room: the band in its ink, and its sleeve with the tiles of the code. */
import type { Destination, RoomKind } from '@tunemate/protocol';
import { HeadphonesIcon, ScreenIcon } from '../../ui/icons/icons.tsx';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { TaskPage } from '../../ui/layout/TaskPage.tsx';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import styles from './WayIn.module.css';
import { kindWords } from './way-in-words.ts';

interface RoomFrameProps {
  room: Destination;
  /** Above the heading. */
  saysKind?: boolean;
  /** On phones the keyboard needs the place of the sleeve. */
  hasField?: boolean;
  children: Elements;
}

export function RoomFrame({ room, saysKind = false, hasField = false, children }: RoomFrameProps) {
  const words = kindWords[room.kind];
  const isWide = useWideScreen();
  const sleeve = <Sleeve code={room.code} record={<Vinyl />} peek={0.38} />;
  return (
    <AppLayout band={words.ink} title={words.room}>
      <TaskPage art={hasField && !isWide ? null : sleeve}>
        {saysKind && <RoomLine kind={room.kind}>{words.room}</RoomLine>}
        {children}
      </TaskPage>
    </AppLayout>
  );
}

/** A line about the room, with the icon of its kind. */
export function RoomLine({ kind, children }: { kind: RoomKind; children: string }) {
  const Icon = icons[kind];
  return (
    <p className={styles.kind}>
      <Icon />
      <span>{children}</span>
    </p>
  );
}

const icons = { video: ScreenIcon, audio: HeadphonesIcon } satisfies Record<RoomKind, unknown>;

/** What comes over a room by itself: new requests to join, for its host, and messages of friends. Loaded after the room. */
import { Suspense } from 'react';
import { useIsFullScreen } from '../../playback/deck/screen-modes.ts';
import type { RoomView } from './Stage.tsx';
import { lazyPart } from '../../store/lazy-part.ts';

const NewsInRoom = lazyPart(async () => (await import('../../people/NewsInRoom.tsx')).NewsInRoom);
const RequestBanner = lazyPart(async () => (await import('../requests/RequestBanner.tsx')).RequestBanner);

export function Notices(props: RoomView & { isShown: boolean }) {
  const isFull = useIsFullScreen();
  return (
    <>
      <Suspense>{props.state.room.host === props.self.uid && <RequestBanner {...props} />}</Suspense>
      <Suspense>{props.isShown && <NewsInRoom isCovered={isFull} />}</Suspense>
    </>
  );
}

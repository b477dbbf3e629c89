/** What comes over a room by itself: new requests to join, for its host, and messages of friends. Loaded after the room. */
import { lazy, Suspense } from 'react';
import type { RoomView } from './Stage.tsx';

const NewsInRoom = lazy(async () => ({ default: (await import('../../people/NewsInRoom.tsx')).NewsInRoom }));
const RequestBanner = lazy(async () => ({ default: (await import('./RequestBanner.tsx')).RequestBanner }));

export function Notices(props: RoomView & { isShown: boolean }) {
  return (
    <>
      <Suspense>{props.state.room.host === props.self.uid && <RequestBanner {...props} />}</Suspense>
      <Suspense>{props.isShown && <NewsInRoom />}</Suspense>
    </>
  );
}

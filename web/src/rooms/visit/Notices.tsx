/** What comes over a room by itself: new requests to join, for its host, and messages of friends. Loaded after the room. */
import { Suspense } from 'react';
import { useIsFullScreen } from '../../playback/deck/screen-modes.ts';
import type { RoomView } from './Stage.tsx';
import { lazyPart } from '../../store/lazy-part.ts';

const MessageToasts = lazyPart(async () => (await import('../../people/MessageToast.tsx')).MessageToasts);
const RequestBanner = lazyPart(async () => (await import('../requests/RequestBanner.tsx')).RequestBanner);

export function Notices(props: RoomView & { isShown: boolean }) {
  const isFull = useIsFullScreen();
  return (
    <>
      <Suspense>{props.state.room.host === props.self.uid && <RequestBanner {...props} />}</Suspense>
      <Suspense>{props.isShown && <MessageToasts isCovered={isFull} />}</Suspense>
    </>
  );
}

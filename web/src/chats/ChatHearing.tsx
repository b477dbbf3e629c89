/** What the other of a chat hears: in its head, and on phones in a strip below it. */
import type { Uid, UserCard } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import type { Elements } from '../ui/OwnText.tsx';

const HearsBox = lazyPart(async () => (await import('../people/Hears.tsx')).HearsBox);
const HearsLine = lazyPart(async () => (await import('../people/Hears.tsx')).HearsLine);
const HearsPicture = lazyPart(async () => (await import('../people/Hears.tsx')).HearsPicture);
const ListenAlong = lazyPart(async () => (await import('../people/Hears.tsx')).ListenAlong);

/** What they hear in the place of their presence; on phones a strip below the head says it. */
export function Hears({ uid, online }: { uid: Uid; online: Elements }) {
  const hears = useReadable(useApp().hearing).get(uid);
  const isWide = useWideScreen();
  if (hears === undefined || !isWide) return online;
  return <HearsLine hears={hears} instead={online} fallback={online} />;
}

export function HearsKeys({ other }: { other: UserCard }) {
  const hears = useReadable(useApp().hearing).get(other.uid);
  if (!useWideScreen() || hears?.untilMs !== null) return null;
  return (
    <>
      <HearsPicture hears={hears} size={40} />
      <ListenAlong other={other} band="celadon" small />
    </>
  );
}

export function Strip({ other }: { other: UserCard }) {
  const hears = useReadable(useApp().hearing).get(other.uid);
  if (useWideScreen() || hears?.untilMs !== null) return null;
  return <HearsBox hears={hears} other={other} band="celadon" beside />;
}

/** What another app shared: shown, and after a press searched in a room. Opening this page does nothing. */
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useApp } from '../app-context.ts';
import { factsOf, joinLink, type RoomAddress } from '../rooms/room-kinds.ts';
import { BackToHome } from '../shell/BackToHome.tsx';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { ButtonGroup } from '../ui/buttons/ButtonGroup.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { homeWords } from '../words/home.ts';
import { useYourRooms } from './YourRooms.tsx';
import { readShared, searchOnceInside, type Shared } from './shared.ts';
import { t } from '../language/t.ts';

export function ShareScreen() {
  const search = useSearch();
  const shared = useMemo(() => readShared(search), [search]);
  return (
    <AppLayout band="persimmon" title="Tunemate">
      <ListPage title={t`Shared with Tunemate`} action={<BackToHome variant="ghost" />}>
        {shared.query === '' ? <EmptyState message={t`Nothing was shared`} /> : <Ways {...shared} />}
      </ListPage>
    </AppLayout>
  );
}

function Ways({ query, room }: Shared) {
  const { visit } = useApp();
  const [, navigate] = useLocation();
  const yourRooms = useYourRooms();
  const searchIn = (address: RoomAddress | null, path: string): void => {
    searchOnceInside(visit, address, query);
    navigate(path);
  };
  if (yourRooms === null) return <LoadingScreen />;
  const { rooms } = yourRooms;
  return (
    <>
      <p className="name" dir="auto">
        {query}
      </p>
      <ButtonGroup>
        {room !== null && (
          <ButtonLink href={joinLink(room.kind, room.code)} variant="primary" block>
            {t`Go to this room`}
          </ButtonLink>
        )}
        {rooms.map(({ kind, code, name }) => (
          <Button key={`${kind} ${code}`} block onClick={() => searchIn({ kind, code }, factsOf(kind).roomPath(code))}>
            {t`Search in ${name}`}
          </Button>
        ))}
        {rooms.length === 0 && (
          <>
            <p>{t`You are in no room. Create one, and it is searched there.`}</p>
            <Button block onClick={() => searchIn(null, '/create-audio-room')}>
              {homeWords.createAudio}
            </Button>
            <Button block onClick={() => searchIn(null, '/create')}>
              {homeWords.createVideo}
            </Button>
          </>
        )}
      </ButtonGroup>
    </>
  );
}

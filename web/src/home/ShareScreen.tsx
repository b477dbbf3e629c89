/** What another app shared: shown, and after a press searched in a room. Opening this page does nothing. */
import { useMemo } from 'react';
import { navigate, onMove, useSearch } from '../store/address.ts';
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
import { t } from '../language/t.ts';
import { limits, roomIn, type RoomKind } from '@tunemate/protocol';
import { isVisitTo, type CurrentVisit } from '../rooms/visit/current-visit.ts';
import type { Visit } from '../rooms/visit/visit.ts';
import type { Unsubscribe } from '../store/cell.ts';

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
  const yourRooms = useYourRooms();
  const searchIn = (way: Way): void => {
    searchOnceInside(visit, way, query);
    navigate(way.path);
  };
  const createIn = (kind: RoomKind, path: string) => (): void => searchIn({ path, kind, code: null });
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
          <Button
            key={`${kind} ${code}`}
            block
            onClick={() => searchIn({ path: factsOf(kind).roomPath(code), kind, code })}
          >
            {t`Search in ${name}`}
          </Button>
        ))}
        {rooms.length === 0 && (
          <>
            <p>{t`You are in no room. Create one, and it is searched there.`}</p>
            <Button block onClick={createIn('audio', '/create-audio-room')}>
              {homeWords.createAudio}
            </Button>
            <Button block onClick={createIn('video', '/create')}>
              {homeWords.createVideo}
            </Button>
          </>
        )}
      </ButtonGroup>
    </>
  );
}

// What another app shared with Tunemate by the `share_target` of the manifest: GET /share?title=…&text=…&url=…; of long
// texts the worker keeps what is read here. Any site can open that address, so all of it is text of strangers: shown as
// text, and searched only after a press.

interface Shared {
  /** What a room's search is asked for, at most as long as a query may be; '' for nothing. */
  readonly query: string;
  /** The room that a shared link of Tunemate leads to. */
  readonly room: RoomAddress | null;
}

/** Marks that change the direction of the text around them, and what no query needs. */
const unseen = /[\p{Cc}\p{Cf}]+/gu;
const webLink = /https?:\/\/\S+/iu;

const clean = (text: string | null): string => (text ?? '').replaceAll(unseen, ' ').replaceAll(/\s+/gu, ' ').trim();

const cut = (text: string): string => text.slice(0, limits.searchQueryLength).replace(/[\uD800-\uDBFF]$/u, '');

/** Apps put the link into `url`, or more often into `text`. Without one, the words are searched. */
export function readShared(search: string): Shared {
  const query = new URLSearchParams(search);
  const [title, text, url] = [clean(query.get('title')), clean(query.get('text')), clean(query.get('url'))];
  const link = webLink.exec(url)?.[0] ?? webLink.exec(text)?.[0];
  const room = link === undefined ? null : roomIn(link);
  return {
    query: cut(link ?? (text === '' ? title : text)),
    // A code without its kind may be part of any link.
    room: room?.kind ? { kind: room.kind, code: room.code } : null,
  };
}

let stopWaiting = (): void => undefined;

/** Where a press leads: into a room, or with null to the screen that creates one of this kind. */
interface Way {
  readonly path: string;
  readonly kind: RoomKind;
  readonly code: string | null;
}

/** Searches once this tab has entered the room. A second press takes its place, and who goes elsewhere gives it up. */
function searchOnceInside(visits: CurrentVisit, { path, kind, code }: Way, query: string): void {
  stopWaiting();
  const stopping = new AbortController();
  const { signal } = stopping;
  const stops: Unsubscribe[] = [() => stopping.abort()];
  stopWaiting = () => stops.splice(0).forEach((stop) => stop());
  const enter = (visit: Visit): void => {
    if (visit.parts.get() === null || signal.aborted) return;
    stopWaiting();
    void visit.search.search(query);
  };
  const look = (): void => {
    const visit = visits.get();
    if (visit === null || signal.aborted || visit.kind !== kind) return;
    if (code !== null && !isVisitTo(visit, { kind, code })) return;
    stops.push(visit.parts.subscribe(() => enter(visit)));
    enter(visit);
  };
  const rooms = factsOf(kind).roomPath('');
  const follow = (): void => {
    if (location.pathname !== path && !(code === null && location.pathname.startsWith(rooms))) stopWaiting();
  };
  stops.push(onMove(follow), visits.subscribe(look));
  look();
}

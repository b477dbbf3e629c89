/**
 * A room one is in: puts header, player, deck, requests, search, queue, people and chat into the layout's places.
 * What a kind consists of is read from its table.
 */
import { limits } from '@tunemate/protocol';
import { useState } from 'react';
import { SearchBox, SearchResults } from '../../catalogue/SearchPanel.tsx';
import { SuggestedList } from '../../catalogue/SuggestedList.tsx';
import { sentenceOf } from '../../copy/errors.ts';
import { QueueList } from '../../playback/QueueList.tsx';
import { ParticipantsPanel } from '../../rooms/ParticipantsPanel.tsx';
import { PendingRequests } from '../../rooms/PendingRequests.tsx';
import { bannerNames } from '../../rooms/join-banner.ts';
import { RoomChat } from '../../rooms/RoomChat.tsx';
import { factsOf } from '../../rooms/room-kinds.ts';
import { roomSentences } from '../../rooms/room-copy.ts';
import { hostName } from '../../rooms/room-state.ts';
import { usePageTitle } from '../../shell/use-page-title.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { RoomHead } from '../../ui/layout/RoomHead.tsx';
import { RoomLayout } from '../../ui/layout/RoomLayout.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { InviteTunemates } from '../../tunemates/InviteTunemates.tsx';
import type { LiveParts } from './live-parts.ts';
import type { RoomSession } from './room-session.ts';
import { StageDeck, StagePlayerView, type RoomView } from './Stage.tsx';
import { useLeave } from '../../rooms/use-leave.ts';
import { usePageWake } from '../../shell/use-page-wake.ts';
import type { ViewMode } from '../../playback/VideoDeck.tsx';

export function LiveRoom(props: RoomView) {
  const { kind, session, state, parts, self, config } = props;
  const { room, requests } = state;
  const { playback, isHost } = parts;
  const facts = factsOf(kind);
  const [isChatOpen, setIsChatOpen] = useState(false);
  const [viewMode, setViewMode] = useState<ViewMode>('video');
  const search = useReadable(session.search.status);
  const { control } = useReadable(playback.view);
  const modals = useModals();
  const leave = useLeave(session.room, room.name, isHost, facts.ink);
  usePageWake(() => playback.wake());
  usePageTitle(room.name);

  const canChoose = control === 'mine';
  const answer = async (uid: string, given: 'accept' | 'reject'): Promise<void> => {
    const outcome = await session.answerRequest(uid, given);
    if (!outcome.ok) await modals.ok(sentenceOf(outcome.refusal), { band: facts.ink });
  };
  const stage = { ...props, viewMode, onView: setViewMode, isCompact: isChatOpen };
  return (
    <>
      <RoomLayout
        band={facts.ink}
        code={room.code}
        codeLabel="Room code"
        railLabel="Room"
        searchPlace={facts.panels.search}
        playerIsPicture={facts.panels.stage === 'frame'}
        chatOpen={isChatOpen}
        header={
          <RoomHead
            title={room.name}
            label={isHost ? roomSentences.youHost : hostName(room)}
            code={room.code}
            codeLabel="Room code"
            action="Leave"
            onAction={() => void leave()}
          />
        }
        player={<StagePlayerView {...stage} />}
        deck={<StageDeck {...stage} />}
        pending={isHost && requests.length > 0 && <PendingRequests requests={requests} onAnswer={answer} />}
        search={
          canChoose &&
          !isChatOpen && (
            <SearchBox model={session.search} label={facts.searchLabel} hasYouTube={config?.youtubeSearch ?? false} />
          )
        }
        results={
          canChoose &&
          !isChatOpen &&
          search.status !== 'closed' && <Results kind={kind} session={session} playback={playback} />
        }
        queue={
          (isHost || facts.panels.upNext === 'suggestions') && (
            <UpNext kind={kind} parts={parts} canChoose={canChoose} />
          )
        }
        participants={
          <>
            <ParticipantsPanel room={room} selfUid={self.uid} />
            <InviteTunemates room={room} />
          </>
        }
        chat={
          <RoomChat
            model={parts.chat}
            self={self}
            isOpen={isChatOpen}
            onToggle={() => setIsChatOpen((isOpen) => !isOpen)}
          />
        }
      />
      <RequestBanner session={session} />
    </>
  );
}

function Results({ kind, session, playback }: Pick<RoomView, 'kind' | 'session'> & Pick<LiveParts, 'playback'>) {
  const { formatTime, panels } = factsOf(kind);
  return (
    <SearchResults
      model={session.search}
      formatTime={formatTime}
      onChoose={(track) => playback.host.choose(track)}
      onEnqueue={panels.upNext === 'queue' ? (track) => playback.host.enqueue(track) : undefined}
    />
  );
}

/** The host's queue, or what the catalogue suggests. */
function UpNext({ kind, parts, canChoose }: Pick<RoomView, 'kind' | 'parts'> & { canChoose: boolean }) {
  const { formatTime, panels } = factsOf(kind);
  const { playback, suggestions } = parts;
  if (panels.upNext === 'queue') return <QueueList model={playback} formatTime={formatTime} />;
  return (
    <SuggestedList model={suggestions} onChoose={canChoose ? (track) => playback.host.choose(track) : undefined} />
  );
}

function RequestBanner({ session }: { session: RoomSession }) {
  const banner = useReadable(session.banner.banner);
  const first = banner?.people[0];
  const content =
    banner === null || first === undefined
      ? null
      : {
          key: String(banner.key),
          caption: roomSentences.newRequest,
          person: { id: first.uid, name: bannerNames(banner.people) },
        };
  return <Banner content={content} lastsMs={limits.joinRequestBannerMs} onEnd={() => session.banner.dismiss()} />;
}

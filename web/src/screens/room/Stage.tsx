/** The stage of a room by its kind's table: a frame with its deck, or a sleeve; and below either the sound line. */
import type { AppConfig, RoomKind } from '@tunemate/protocol';
import { VideoDeck, type ViewMode } from '../../playback/VideoDeck.tsx';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { HiddenPlayer, PlayerFrame } from '../../playback/PlayerFrame.tsx';
import { PictureKeys } from '../../playback/PictureKeys.tsx';
import { PlayerNotices } from '../../playback/PlayerNotices.tsx';
import { SleeveDeck } from '../../playback/SleeveDeck.tsx';
import { SoundLine } from '../../playback/SoundLine.tsx';
import { factsOf } from '../../rooms/room-kinds.ts';
import { RisingStamps } from '../../rooms/RisingStamps.tsx';
import { hostName, type RoomState } from '../../rooms/room-state.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { WideIcon } from '../../ui/icons/marks.tsx';
import styles from './Stage.module.css';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import type { LiveParts } from './live-parts.ts';
import type { RoomSession } from './room-session.ts';
import { useHostAway } from './use-host-away.ts';
import { usePlaybackTrouble } from './use-playback-trouble.ts';

/** What is known of a room that one is in. */
export interface RoomView {
  kind: RoomKind;
  session: RoomSession;
  state: RoomState;
  parts: LiveParts;
  self: { uid: string; name: string };
  config: AppConfig | null;
}

export type StageProps = RoomView & {
  viewMode: ViewMode;
  onView: (view: ViewMode) => void;
  isCompact: boolean;
  isShown: boolean;
  /** The rail folded to a spine; left to CSS on phones, which have no rail. */
  wideView: { isOn: boolean; onToggle: () => void };
};

/** The picture or the sleeve, with the player itself. */
export function StagePlayerView(props: StageProps) {
  const { kind, state, parts, config, viewMode, isCompact } = props;
  const { panels, formatTime } = factsOf(kind);
  const cover = <RoomCover {...props} />;
  if (panels.stage === 'frame') {
    return (
      <div className={styles.cheered}>
        <PlayerFrame
          stage={parts.stage}
          isAudioOnly={viewMode === 'audio-only'}
          keepsTile={config?.youtubeVisiblePlayer ?? false}
          sleeve={cover}
        />
        <RisingStamps cheers={parts.chat.cheers} />
      </div>
    );
  }
  return (
    <>
      <SleeveDeck
        model={parts.playback}
        hostName={hostName(state.room)}
        formatTime={formatTime}
        sleeve={
          <div className={styles.cheered}>
            {cover}
            <RisingStamps cheers={parts.chat.cheers} />
          </div>
        }
        compact={isCompact}
      />
      <HiddenPlayer stage={parts.stage} isShown={config?.youtubeVisiblePlayer ?? false} />
    </>
  );
}

/** What stands below the player. */
export function StageDeck(props: StageProps) {
  const { kind, session, state, parts, self, viewMode, onView, wideView, isShown } = props;
  const { panels, formatTime } = factsOf(kind);
  const trouble = usePlaybackTrouble(parts.playback);
  const isHostAway = useHostAway(state.room.hostAwaySince, session.clockSync) && state.room.host !== self.uid;
  return (
    <>
      {panels.stage === 'frame' && (
        <VideoDeck
          model={parts.playback}
          hostName={hostName(state.room)}
          formatTime={formatTime}
          view={viewMode}
          onView={onView}
          tools={
            <>
              <PictureKeys stage={parts.stage} isShown={isShown} />
              <IconButton
                label="Wide view"
                className={styles.wideView}
                aria-pressed={wideView.isOn}
                icon={<WideIcon />}
                onClick={wideView.onToggle}
              />
            </>
          }
        />
      )}
      <PlayerNotices model={parts.playback} isHostAway={isHostAway} trouble={trouble} />
      <SoundLine model={parts.playback} deviceSound={session.deviceSound} />
    </>
  );
}

/** The room's cover: the track's picture, or the tiles of its code before there is any. */
function RoomCover({ state, parts }: StageProps) {
  const now = useReadable(parts.playback.view);
  const { room } = state;
  return (
    <Sleeve
      name={room.name}
      code={room.code}
      pictureUrl={now.playing.track?.thumbnail ?? undefined}
      record={<Vinyl pressed spinning={isShownPlaying(now)} />}
    />
  );
}

/* Conversation and player parts. */
import { useState } from 'react';
import { Deck } from '../ui/deck/Deck.tsx';
import { DeckKey, DeckKeys } from '../ui/deck/DeckKeys.tsx';
import { LevelBar } from '../ui/deck/LevelBar.tsx';
import { Marquee } from '../ui/deck/Marquee.tsx';
import { SeekBar } from '../ui/deck/SeekBar.tsx';
import { SleevePlayer } from '../ui/deck/SleevePlayer.tsx';
import { HeadphonesIcon, ScreenIcon } from '../ui/icons/icons.tsx';
import { CrownIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon } from '../ui/icons/marks.tsx';
import { SegmentedToggle } from '../ui/keys/SegmentedToggle.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { ChatDock } from '../ui/talk/ChatDock.tsx';
import { Composer } from '../ui/talk/Composer.tsx';
import { MessageBubble } from '../ui/talk/MessageBubble.tsx';
import { MessageLine } from '../ui/talk/MessageLine.tsx';
import { DayMark, MessageLog } from '../ui/talk/MessageLog.tsx';
import { classNames } from '../ui/class-names.ts';
import { clock, LONG_TITLE, PEOPLE } from './people.ts';
import styles from './gallery.module.css';

const at = (text: string) => ({ text, dateTime: `2026-11-20T${text}:00Z` });

/** Bubbles, ticks and the dock. */
export function TalkParts() {
  return (
    <section>
      <h2>Bubbles, ticks, dock</h2>
      <div className={styles.grid}>
        <div className={classNames(styles.box, styles.column)} data-band="celadon">
          <DayMark>Today</DayMark>
          <MessageBubble mine={false} time={at('14:21')}>
            Are you still up?
          </MessageBubble>
          <MessageBubble mine ends={false} time={at('14:22')} tick="delivered">
            Delivered or read
          </MessageBubble>
          <MessageBubble mine starts={false} ends={false} time={at('14:32')} tick="sent">
            Sent
          </MessageBubble>
          <MessageBubble mine starts={false} time={at('14:33')} tick="sending">
            Sending
          </MessageBubble>
        </div>
        <SampleDock />
      </div>
    </section>
  );
}

/** A dock that opens and sends. */
export function SampleDock({ startOpen = false, onToggle }: { startOpen?: boolean; onToggle?: () => void }) {
  const [open, setOpen] = useState(startOpen);
  const [text, setText] = useState('');
  const [sent, setSent] = useState<readonly string[]>([]);
  const [, theo, ada] = PEOPLE;
  return (
    <div className={onToggle ? undefined : styles.dock} style={onToggle && { height: '100%' }}>
      <ChatDock
        label="Room chat"
        open={open}
        onToggle={() => {
          setOpen(!open);
          onToggle?.();
        }}
        closedWords="Click here to Start Chat"
        openWords="Click here to Return Room"
        linesLabel="Last 10 messages"
        lines={
          <>
            <MessageLine author={theo.name}>ok that was worth staying up for</MessageLine>
            <MessageLine author={ada.name}>next one mine please: the rain session</MessageLine>
            <MessageLine author="Mara Lindqvist">queued it for you</MessageLine>
          </>
        }
      >
        <MessageLog label="Messages">
          <MessageBubble mine={false} author={ada} ends={false}>
            oh here it comes
          </MessageBubble>
          <MessageBubble mine={false} author={ada} starts={false}>
            room chat shows names, not ticks
          </MessageBubble>
          <MessageBubble mine>queued it for you</MessageBubble>
          {sent.map((words) => (
            <MessageBubble key={words} mine fresh>
              {words}
            </MessageBubble>
          ))}
        </MessageLog>
        <Composer
          label="Message"
          value={text}
          onChange={setText}
          onSend={() => {
            setSent([...sent, text]);
            setText('');
          }}
        />
      </ChatDock>
    </div>
  );
}

/** The deck with working keys. */
export function SampleDeck({ guest = false, label = 'Player' }: { guest?: boolean; label?: string }) {
  const [position, setPosition] = useState(107);
  const [playing, setPlaying] = useState(true);
  const [view, setView] = useState<'video' | 'audio'>('video');
  return (
    <Deck
      label={label}
      title={<Marquee text={LONG_TITLE} />}
      seek={
        <SeekBar
          label={guest ? 'Position' : 'Seek'}
          positionSeconds={position}
          durationSeconds={252}
          formatTime={(s) => `00:${clock(s)}`}
          showTimes
          disabled={guest}
          onCommit={setPosition}
        />
      }
      keys={
        !guest && (
          <DeckKeys label="Playback">
            <DeckKey label="Previous" icon={<PreviousIcon />} />
            <DeckKey
              label={playing ? 'Pause' : 'Play'}
              main
              icon={playing ? <PauseIcon /> : <PlayIcon />}
              onClick={() => setPlaying(!playing)}
            />
            <DeckKey label="Next" icon={<NextIcon />} />
          </DeckKeys>
        )
      }
      note={
        guest && (
          <>
            <CrownIcon />
            Mara is playing for everyone
          </>
        )
      }
      view={
        <SegmentedToggle
          label="View"
          value={view}
          onChange={setView}
          block={guest}
          iconsWhenNarrow={!guest}
          segments={[
            { value: 'video', label: 'Video', name: 'Video view', icon: <ScreenIcon /> },
            { value: 'audio', label: 'Audio only', name: 'Audio only view', icon: <HeadphonesIcon /> },
          ]}
        />
      }
    />
  );
}

/** The sleeve player. */
export function SampleSleevePlayer({ compact = false, label = 'Player' }: { compact?: boolean; label?: string }) {
  const [position, setPosition] = useState(107);
  const [playing, setPlaying] = useState(true);
  return (
    <SleevePlayer
      label={label}
      compact={compact}
      sleeve={<Sleeve name="Kitchen Radio" code="B04E21" record={<Vinyl pressed spinning={playing} />} />}
      title={<Marquee text="Velvet Hour (Studio Take), Ines Calloway with the Harbour Quartet" />}
      status={playing ? 'Playing' : 'Paused'}
      times={`${clock(position)} / 03:58`}
      level={<LevelBar playing={playing} />}
      playKey={
        !compact && (
          <DeckKey
            label={playing ? 'Pause' : 'Play'}
            main
            solo
            icon={playing ? <PauseIcon /> : <PlayIcon />}
            onClick={() => setPlaying(!playing)}
          />
        )
      }
      seek={
        <SeekBar
          label="Seek"
          positionSeconds={position}
          durationSeconds={238}
          formatTime={clock}
          disabled={compact}
          onCommit={setPosition}
        />
      }
    />
  );
}

/** Decks. */
export function DeckParts() {
  return (
    <section>
      <h2>Deck</h2>
      <div className={classNames(styles.grid, styles.wide)}>
        <div className={styles.box}>
          <SampleDeck />
        </div>
        <div className={styles.box}>
          <SampleDeck guest label="Player of a guest" />
        </div>
        <div className={styles.box} data-band="marigold">
          <SampleSleevePlayer label="Sleeve player" />
        </div>
        <div className={styles.box} data-band="marigold">
          <Marquee text="Left Hand Only" />
          <LevelBar playing={false} />
          <SeekBar label="Position" positionSeconds={90} durationSeconds={200} formatTime={clock} disabled />
        </div>
      </div>
    </section>
  );
}

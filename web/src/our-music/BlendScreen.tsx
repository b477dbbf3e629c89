/** A blend: a queue of two tastes, with the reason at each track. Nothing plays before a room is opened with it. */
import type { BlendedTrack, UserCard } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { locale } from '../language/t.ts';
import { firstName } from '../people/person-words.ts';
import { useListenTogether } from '../people/listen-together.ts';
import { asking } from '../store/asking.ts';
import { useBusy } from '../store/use-busy.ts';
import { type Now, useNow } from '../store/use-now.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { useToast } from '../ui/feedback/toasts.ts';
import { CloseIcon, HeadphonesIcon } from '../ui/icons/icons.tsx';
import { AgainIcon } from '../ui/icons/music-icons.tsx';
import { avatarInk } from '../ui/inks.ts';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { tileCode } from '../ui/records/tile-code.ts';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { titleLines } from '../ui/title-lines.ts';
import { lengthOf } from '../words/lengths.ts';
import { minutesAndSeconds, musicWords as words, numberOf } from './music-words.ts';
import type { ScreenProps } from '../store/address.ts';
import { BackToMusic, PageOfTwo } from './PageOfTwo.tsx';
import sheetBlend from './Blend.css?inline';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';

const styles = ownSheet('music-blend', sheetBlend);

export const BlendScreen = ({ params: { uid = '' } }: ScreenProps) => (
  <PageOfTwo uid={uid}>{(other) => <Blend other={other} />}</PageOfTwo>
);

const newSeed = (): number => 1 + Math.floor(Math.random() * 999_999);

interface BlendNow {
  tracks: readonly BlendedTrack[];
  /** The last track that was taken out, and what was there before; null for none of this blend. */
  taken: { name: string; before: readonly BlendedTrack[] } | null;
}

function useBlend({ uid }: UserCard) {
  const { connection } = useApp();
  const [seed, setSeed] = useState(newSeed);
  const [blend, setBlend] = useState<BlendNow | null>(null);
  useEffect(
    () =>
      asking(
        (signal) => connection.requestUntilAnswered('music/blend', { uid, seed }, { signal }),
        (answer) => setBlend({ tracks: answer.ok ? answer.value.tracks : [], taken: null }),
      ),
    [connection, uid, seed],
  );
  return { blend, setBlend, another: () => setSeed(newSeed()) };
}

function Blend({ other }: { other: UserCard }) {
  const self = useUser();
  const { blend, setBlend, another } = useBlend(other);
  const heading = useRef<HTMLHeadingElement>(null);
  if (blend === null) return <LoadingScreen />;
  const { tracks, taken } = blend;

  function change(now: BlendNow): void {
    setBlend(now);
    heading.current?.focus();
  }
  const takeOut = (track: BlendedTrack): void =>
    change({
      tracks: tracks.filter((one) => one !== track),
      taken: { name: titleLines(track.videoId, track.title).name, before: tracks },
    });
  return (
    <div className={styles.blend}>
      <div className={styles.head}>
        <BackToMusic uid={other.uid} />
        <div className={styles.records} aria-hidden="true">
          <Vinyl person={{ id: self.uid, name: self.name }} />
          <Vinyl person={{ id: other.uid, name: other.name }} />
        </div>
        <h1 ref={heading} tabIndex={-1}>
          {words.blend}
        </h1>
        {tracks.length === 0 && taken === null ? (
          <EmptyState message={words.noBlend} />
        ) : (
          <>
            {tracks.length > 0 && <WithBlend tracks={tracks} other={other} />}
            <Button variant="ghost" block icon={<AgainIcon />} onClick={another}>
              {t`Another blend`}
            </Button>
            <div aria-live="polite" className={styles.taken}>
              {taken && <span>{t`${taken.name} is taken out`}</span>}
              {taken && (
                <Button small onClick={() => change({ tracks: taken.before, taken: null })}>
                  {t`Undo`}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      <ol className={styles.tracks} aria-label={words.blend}>
        {tracks.map((track) => (
          <li key={track.videoId}>
            <BlendRow track={track} other={other} onTakeOut={() => takeOut(track)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface OfBlend {
  tracks: readonly BlendedTrack[];
  other: UserCard;
}

/** What a blend is, and what can be done with it. */
function WithBlend({ tracks, other }: OfBlend) {
  const self = useUser();
  const listen = useListenTogether();
  const { isBusy, run } = useBusy();
  const lengthMs = tracks.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0) * 1000, 0);
  return (
    <>
      <p>{words.blendIntro(tracks.length, lengthOf(lengthMs))}</p>
      <Shares tracks={tracks} other={other} />
      <Button
        variant="primary"
        block
        busy={isBusy}
        icon={<HeadphonesIcon />}
        onClick={() => run(() => listen({ self, other, band: 'blush', queue: tracks }))}
      >
        {t`Open a room with it`}
      </Button>
      <IntoQueue tracks={tracks} />
    </>
  );
}

type Visit = NonNullable<ReturnType<ReturnType<typeof useApp>['visit']['get']>>;

/** For a person who may add to the queue of the room that this tab is in. */
function IntoQueue({ tracks }: { tracks: readonly BlendedTrack[] }) {
  const visit = useReadable(useApp().visit);
  return visit && <QueueOfVisit visit={visit} tracks={tracks} />;
}

function QueueOfVisit({ visit, tracks }: { visit: Visit; tracks: readonly BlendedTrack[] }) {
  const name = useReadable(visit.room.state)?.room.name;
  const parts = useReadable(visit.parts);
  return parts && name !== undefined && <QueueKey playback={parts.playback} room={name} tracks={tracks} />;
}

interface QueueKeyProps {
  playback: NonNullable<ReturnType<Visit['parts']['get']>>['playback'];
  room: string;
  tracks: readonly BlendedTrack[];
}

function QueueKey({ playback, room, tracks }: QueueKeyProps) {
  const { control } = useReadable(playback.view);
  const { isBusy, run } = useBusy();
  const toast = useToast();
  if (control !== 'mine' && control !== 'remote') return null;
  const add = async (): Promise<void> => toast(words.inQueue(numberOf(await playback.host.enqueueAll(tracks)), room));
  return (
    <Button block busy={isBusy} onClick={() => run(add)}>
      {t`Into the queue of ${room}`}
    </Button>
  );
}

type Whose = BlendedTrack['of'];
const allWhose: readonly Whose[] = ['both', 'mine', 'theirs'];

const whoseWords = (whose: Whose, self: UserCard, other: UserCard): string =>
  whose === 'both' ? t`you both` : t`${firstName((whose === 'mine' ? self : other).name)}’s`;

/** The inks of the people whose taste it is. */
function Discs({ whose, other }: { whose: Whose; other: UserCard }) {
  const self = useUser();
  const people = { both: [self, other], mine: [self], theirs: [other] }[whose];
  return (
    <span className={styles.discs} aria-hidden="true">
      {people.map(({ uid }) => (
        <i key={uid} style={{ '--label': `var(--${avatarInk(uid)})` }} />
      ))}
    </span>
  );
}

/** How many of the tracks are whose. */
function Shares({ tracks, other }: OfBlend) {
  const self = useUser();
  return (
    <ul className={styles.shares}>
      {allWhose.map((whose) => (
        <li key={whose}>
          <Discs whose={whose} other={other} />
          <span>{whoseWords(whose, self, other)}</span>
          <span className="meta">{numberOf(tracks.filter(({ of }) => of === whose).length)}</span>
        </li>
      ))}
    </ul>
  );
}

interface BlendRowProps {
  track: BlendedTrack;
  other: UserCard;
  onTakeOut: () => void;
}

function BlendRow({ track, other, onTakeOut }: BlendRowProps) {
  const self = useUser();
  const nowMs = useNow(useApp().serverNowMs);
  const { name, artist } = titleLines(track.videoId, track.title);
  return (
    <>
      <Sleeve code={tileCode(track.videoId)} pictureUrl={track.thumbnail ?? undefined} size="48px" />
      <span className={styles.words}>
        <strong dir="auto">{name}</strong>
        {artist !== null && <span dir="auto">{artist}</span>}
      </span>
      <span className={styles.reason}>
        <Discs whose={track.of} other={other} />
        <span>{words.reason(whoseWords(track.of, self, other), whenOf(track.at, nowMs))}</span>
      </span>
      {track.durationSeconds !== null && (
        <span className={`meta ${styles.length}`}>{minutesAndSeconds(track.durationSeconds)}</span>
      )}
      <IconButton label={t`Take out ${name}`} icon={<CloseIcon />} onClick={onTakeOut} />
    </>
  );
}

const dayMs = 24 * 60 * 60 * 1000;

/** 'today', 'yesterday', 'of last week', or 'in March'. */
function whenOf(atMs: number, nowMs: Now): string {
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  const daysAgo = Math.ceil((midnight.getTime() - atMs) / dayMs);
  if (daysAgo <= 0) return t`today`;
  if (daysAgo === 1) return t`yesterday`;
  if (daysAgo <= 8) return t`of last week`;
  return words.inMonth(new Intl.DateTimeFormat(locale, { month: 'long' }).format(atMs));
}

/** Our music: what the user and a tunemate or the soulmate heard together, or the question whether to keep it. */
import type { MusicEvening, OurMusic, Track, UserCard } from '@tunemate/protocol';
import { type RefObject, useRef } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { firstName } from '../people/person-words.ts';
import { useListenTogether } from '../people/listen-together.ts';
import { useBusy } from '../store/use-busy.ts';
import { useNow } from '../store/use-now.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { Switch } from '../ui/buttons/Switch.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { BackIcon } from '../ui/icons/icons.tsx';
import { ChevronRightIcon } from '../ui/icons/inside-icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { GearIcon } from '../ui/icons/page-icons.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { CardPicture } from '../ui/records/card-picture.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { TileGrid } from '../ui/records/TileGrid.tsx';
import { tileCode } from '../ui/records/tile-code.ts';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { titleLines } from '../ui/title-lines.ts';
import { clockTime } from '../words/dates.ts';
import { shellWords } from '../words/shell.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { Asking } from './Asking.tsx';
import { minutesByWeek, monthsOfWeeks } from './days.ts';
import { lengthOf } from '../words/lengths.ts';
import { dateOf, musicWords as words, numberOf } from './music-words.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import type { ScreenProps } from '../store/address.ts';
import { NotYours } from './PageOfTwo.tsx';
import sheetOurMusic from './OurMusic.css?inline';
import { useMusic, useOther } from './use-music.ts';
import { useYearCards } from './use-year-cards.ts';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';

const styles = ownSheet('music', sheetOurMusic);

export function OurMusicScreen({ params: { uid = '' } }: ScreenProps) {
  const other = useOther(uid);
  const { known, refresh } = useMusic(uid);
  return (
    <AppLayout band="blush" title={words.title} wide>
      {known === null ? (
        <LoadingScreen />
      ) : !known.ok || other === null ? (
        <NotYours />
      ) : known.value.status === 'kept' ? (
        <Kept other={other} music={known.value.music} onChanged={refresh} />
      ) : (
        <Asking other={other} state={known.value} onChanged={refresh} />
      )}
    </AppLayout>
  );
}

interface KeptProps {
  other: UserCard;
  music: OurMusic;
  onChanged: () => void;
}

function Kept({ other, music, onChanged }: KeptProps) {
  const self = useUser();
  const nowMs = useNow(useApp().serverNowMs);
  const { first, met } = music;
  const keeping = useRef<HTMLElement>(null);
  return (
    <div className={styles.our}>
      <header className={styles.hero}>
        <div className={styles.top}>
          <ButtonLink href="/" variant="ghost" small icon={<BackIcon size={18} />}>
            {shellWords.backToHome}
          </ButtonLink>
          <IconButton label={words.whatWeKeep} icon={<GearIcon />} onClick={() => keeping.current?.focus()} />
        </div>
        <div className={styles.names}>
          <p>{words.title}</p>
          <h1 className="poster" dir="auto">
            <bdi>{firstName(self.name)}</bdi>
            <br />
            <bdi>{`& ${firstName(other.name)}`}</bdi>
          </h1>
        </div>
        <div className={styles.foot}>
          <div className={styles.records} aria-hidden="true">
            <Vinyl person={{ id: self.uid, name: self.name }} />
            <Vinyl person={{ id: other.uid, name: other.name }} />
          </div>
          {met && (
            <div className={styles.met} data-band="blush">
              <TileGrid code={met.room.code} columns={6} className={styles.frieze} />
              <p>
                <b>{met.room.code}</b>
                <span>{words.met(met.room.name, dateOf(met.from), clockTime(met.from, nowMs))}</span>
              </p>
            </div>
          )}
        </div>
      </header>
      <div className={styles.inside}>
        {first === null && <p className={styles.empty}>{words.nothingYet(firstName(other.name))}</p>}
        <div className={styles.row}>
          {first && <FirstSong other={other} first={first} room={met?.room.name ?? null} />}
          <dl className={styles.figures}>
            <Figure label={t`minutes together`} number={Math.floor(music.heardMs / 60_000)} />
            <Figure label={words.evenings} number={music.evenings} />
            <Figure label={t`songs you both know now`} number={music.tracks} />
          </dl>
        </div>
        <Weeks weeks={music.weeks} nowMs={nowMs} />
        <div className={styles.sides}>
          <section aria-labelledby="most-heard">
            <SideHead side="A" id="most-heard" title={t`Most heard`} note={t`times`} />
            <TrackList tracks={music.most.slice(0, 5)} other={other} isNumbered />
          </section>
          <YearAgo ago={music.ago} other={other} />
        </div>
        <div className={styles.cards}>
          <section className={styles.print} data-band="blush" aria-labelledby="blend">
            <Pair other={other} />
            <h2 id="blend">{words.blend}</h2>
            <p>{words.blendMeans}</p>
            <ButtonLink href={`/our-music/${other.uid}/blend`} variant="ink" endIcon={<ChevronRightIcon />}>
              {t`Make a blend`}
            </ButtonLink>
          </section>
          {isYearReady(music, nowMs) && <YearTile other={other} year={new Date(nowMs).getFullYear()} />}
        </div>
        <Keeping ref={keeping} other={other} music={music} onChanged={onChanged} />
      </div>
    </div>
  );
}

function Pair({ other }: { other: UserCard }) {
  const self = useUser();
  return (
    <div className={styles.pair} aria-hidden="true">
      <Vinyl person={{ id: self.uid, name: self.name }} />
      <Vinyl person={{ id: other.uid, name: other.name }} />
    </div>
  );
}

/** With the first three cards of the year, whose words stand on its own screen. */
function YearTile({ other, year }: { other: UserCard; year: number }) {
  const { cards } = useYearCards(other);
  return (
    <section className={styles.card} aria-labelledby="year">
      <div className={styles.small} aria-hidden="true">
        {cards?.slice(0, 3).map((card) => (
          <CardPicture key={card.id} card={card} />
        ))}
      </div>
      <h2 id="year">{t`Our year`}</h2>
      <p>{words.yearMeans(String(year))}</p>
      <ButtonLink href={`/our-music/${other.uid}/year`} endIcon={<ChevronRightIcon />}>
        {t`See the cards`}
      </ButtonLink>
    </section>
  );
}

/** From 1 December, or whenever there are five evenings. */
const isYearReady = ({ evenings, heardMs }: OurMusic, nowMs: number): boolean =>
  evenings >= 5 || (heardMs > 0 && new Date(nowMs).getMonth() === 11);

function Figure({ label, number }: { label: string; number: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{numberOf(number)}</dd>
    </div>
  );
}

interface FirstSongProps {
  other: UserCard;
  first: NonNullable<OurMusic['first']>;
  room: string | null;
}

function FirstSong({ other, first, room }: FirstSongProps) {
  const { name, artist } = titleLines(first.videoId, first.title);
  const { isBusy, play } = usePlay(other);
  return (
    <section className={styles.first} aria-labelledby="first-song">
      <Sleeve
        code={tileCode(first.videoId)}
        pictureUrl={first.thumbnail ?? undefined}
        record={<Vinyl pressed />}
        size="var(--first)"
      />
      <div>
        <h2 id="first-song">{t`First song together`}</h2>
        <strong dir="auto">{name}</strong>
        {artist !== null && <p dir="auto">{artist}</p>}
        <p className="meta">{room === null ? dateOf(first.at) : words.dayIn(dateOf(first.at), room)}</p>
        <Button small variant="primary" busy={isBusy} icon={<PlayIcon size={18} />} onClick={() => play(first)}>
          {t`Play`}
        </Button>
      </div>
    </section>
  );
}

/** Plays in a room for the two. */
function usePlay(other: UserCard) {
  const self = useUser();
  const listen = useListenTogether();
  const { isBusy, run } = useBusy();
  return {
    isBusy,
    play: ({ videoId, title, durationSeconds }: Track) =>
      run(() => listen({ self, other, band: 'blush', track: { videoId, title, durationSeconds } })),
    playAll: (tracks: readonly Track[]) => run(() => listen({ self, other, band: 'blush', queue: tracks })),
  };
}

interface WeeksProps {
  weeks: OurMusic['weeks'];
  nowMs: number;
}

function Weeks({ weeks, nowMs }: WeeksProps) {
  const minutes = minutesByWeek(weeks, nowMs);
  const most = Math.max(...minutes);
  if (most === 0) return null;
  return (
    <section className={styles.weeks} aria-labelledby="evenings">
      <div>
        <h2 id="evenings">{words.evenings}</h2>
        <span className="meta">{t`the last 52 weeks, minutes in each`}</span>
      </div>
      <VisuallyHidden>{words.weeksSay(numberOf(most))}</VisuallyHidden>
      <div className={styles.bars} aria-hidden="true" dir="ltr">
        {minutes.map((minute, week) => (
          <i key={week} style={{ '--h': `${String(Math.round((minute / most) * 100))}%` }} />
        ))}
      </div>
      <div className={styles.months} aria-hidden="true" dir="ltr">
        {monthsOfWeeks(nowMs).map((month) => (
          <span key={month} className="meta">
            {month}
          </span>
        ))}
        <span className="meta">{t`Now`}</span>
      </div>
    </section>
  );
}

function SideHead({ side, id, title, note }: { side: string; id: string; title: string; note: string }) {
  return (
    <div className={styles.sideHead}>
      <b aria-hidden="true">{side}</b>
      <h2 id={id}>{title}</h2>
      <span className="meta">{note}</span>
    </div>
  );
}

interface TrackListProps {
  tracks: readonly (Track & { times?: number })[];
  other: UserCard;
  isNumbered?: boolean;
}

function TrackList({ tracks, other, isNumbered = false }: TrackListProps) {
  const { play } = usePlay(other);
  return (
    <ol className={styles.tracks}>
      {tracks.map((track, index) => {
        const { name, artist } = titleLines(track.videoId, track.title);
        return (
          <li key={track.videoId}>
            {isNumbered && <span className="meta">{index + 1}</span>}
            <Sleeve code={tileCode(track.videoId)} pictureUrl={track.thumbnail ?? undefined} size="44px" />
            <span className={styles.words}>
              <strong dir="auto">{name}</strong>
              {artist !== null && <span dir="auto">{artist}</span>}
            </span>
            {track.times !== undefined && <span className="meta">{numberOf(track.times)}</span>}
            <IconButton label={t`Play ${name}`} icon={<PlayIcon size={18} />} onClick={() => play(track)} />
          </li>
        );
      })}
    </ol>
  );
}

function YearAgo({ ago, other }: { ago: OurMusic['ago']; other: UserCard }) {
  const nowMs = useNow(useApp().serverNowMs);
  const { isBusy, playAll } = usePlay(other);
  const [evening] = ago.evenings;
  const heardMs = ago.evenings.reduce((sum, { heardMs: ms }: MusicEvening) => sum + ms, 0);
  return (
    <section aria-labelledby="year-ago">
      <SideHead side="B" id="year-ago" title={t`A year ago today`} note={evening ? dateOf(evening.from) : ''} />
      {evening === undefined ? (
        <p>{t`Nothing a year ago. Today will be there next year.`}</p>
      ) : (
        <>
          <p className={styles.ago} dir="auto">
            {words.lengthIn(lengthOf(heardMs), evening.room.name)}
          </p>
          <p>{words.wentOn(clockTime(evening.until, nowMs))}</p>
          <TrackList tracks={ago.tracks.slice(0, 5)} other={other} />
          {ago.tracks.length > 0 && (
            <Button busy={isBusy} icon={<PlayIcon size={18} />} onClick={() => playAll(ago.tracks)}>
              {t`Play that evening`}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function Keeping({ ref, other, music, onChanged }: KeptProps & { ref: RefObject<HTMLElement | null> }) {
  const { connection } = useApp();
  const modals = useModals();
  const answerOf = useAnswerOf({ band: 'blush' });
  const name = firstName(other.name);
  const { uid } = other;

  async function after(isSure: boolean, act: () => Promise<unknown>): Promise<void> {
    if (isSure && (await act()) !== null) onChanged();
  }
  const ask = (question: string, consequence: string, action: string) =>
    modals.confirm({ question, consequence, action, danger: true, band: 'blush' });
  const forget = async () =>
    await after(
      await ask(
        t`Forget everything you heard together?`,
        words.forgetMeans(music.evenings, music.tracks, name),
        words.forget,
      ),
      () => answerOf(connection.request('music/forget', { uid })),
    );
  const stop = async () =>
    await after(await ask(t`Keep nothing with ${name} any more?`, words.stopMeans(name), t`Stop and delete`), () =>
      answerOf(connection.request('music/keep', { uid, keeps: false })),
    );
  return (
    <section ref={ref} tabIndex={-1} className={styles.keeping} aria-label={words.whatWeKeep}>
      <Switch
        label={t`Keep what we heard together`}
        detail={words.keptSince(name, dateOf(music.keptSince))}
        checked
        onChange={() => void stop()}
      />
      {music.forgottenBy === 'them' && <p>{t`${name} deleted what was here before.`}</p>}
      <Button variant="danger" onClick={() => void forget()}>
        {words.forget}
      </Button>
    </section>
  );
}

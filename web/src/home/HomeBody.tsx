/** Home for visitors and users: a greeting, the soulmate, both kinds of room, links to chats and notifications. */
import type { ReactNode } from 'react';
import { loginPath } from '../accounts/sign-in/next-path.ts';
import { homeWords } from '../words/home.ts';
import type { PairedPerson } from '../soulmate/AvatarPair.tsx';
import { unreadPlaces } from '../shell/UnreadLink.tsx';
import type { SoulmateState } from '../soulmate/soulmate-model.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { BellIcon, ChevronRightIcon, MessageIcon } from '../ui/icons/inside-icons.tsx';
import { DiscIcon, PlusIcon } from '../ui/icons/page-icons.tsx';
import { Badge } from '../ui/buttons/Badge.tsx';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import type { BandInk } from '../ui/inks.ts';
import { TileGrid } from '../ui/records/TileGrid.tsx';
import styles from './HomeBody.module.css';
import type { Elements } from '../ui/OwnText.tsx';
import { t } from '../language/t.ts';
import type { AskedSoulmate, Hearing } from '@tunemate/protocol';
import { askedWhen, soulmateWords } from '../soulmate/soulmate-words.ts';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { mediaQuery } from '../store/media-query.ts';
import { useReadable } from '../store/use-readable.ts';
import { ownSheet } from '../ui/own-sheet.ts';
import sheet from './SoulmateCover.css?inline';
import card from './CoverCard.module.css';

const cover = ownSheet('cover', sheet);

/** The card of the soulmate has its keys at its side. */
const isBroad = mediaQuery('(width >= 77em)');

const HearsLine = lazyPart(async () => (await import('../people/Hears.tsx')).HearsLine);
const ListenAlong = lazyPart(async () => (await import('../people/Hears.tsx')).ListenAlong);

interface HomeBodyProps {
  /** Null for visitors: then every link leads to signing in first. */
  self: PairedPerson | null;
  soulmate: SoulmateState;
  way?: SoulmateCoverProps['way'];
  /** What the soulmate hears, where they show it. */
  hears?: Hearing | undefined;
  unreadNotifications: number;
  unreadChats: number;
  hello: ReactNode;
  logIn?: Elements;
  /** Knows no person here yet: their place for a soulmate is an outline. */
  isNew?: boolean;
  /** Between the greeting and the soulmate. */
  first?: Elements;
  /** Between the soulmate and the two kinds of room. */
  rooms?: Elements;
  /** Below all else, where it may come late: nothing moves then. */
  played?: Elements;
}

export function HomeBody({
  self,
  soulmate,
  way,
  hears,
  unreadNotifications,
  unreadChats,
  hello,
  logIn,
  isNew = false,
  first,
  rooms,
  played,
}: HomeBodyProps) {
  const isWide = useWideScreen();
  const hrefOf = (path: string): string => (self === null ? loginPath(path) : path);
  const { '/chats': chats, '/notifications': notices } = unreadPlaces;
  const quick = (
    <nav className={styles.quick} aria-label={t`Messages`}>
      <ButtonLink href={hrefOf('/chats')} icon={<MessageIcon size={20} />}>
        <span>{chats.label}</span>
        <Badge count={unreadChats} words={chats.unread} />
      </ButtonLink>
      <ButtonLink href={hrefOf('/notifications')} icon={<BellIcon size={20} />}>
        <span>{notices.label}</span>
        <Badge count={unreadNotifications} words={notices.unread} />
      </ButtonLink>
    </nav>
  );
  return (
    <div className={classNames(styles.home, self === null && styles.visitors)}>
      <div className={styles.helloRow}>
        <div className={styles.hello}>{hello}</div>
        {isWide && quick}
        {logIn}
      </div>
      {first}
      <SoulmateCover {...{ self, soulmate, way, hears, isNew }} href={hrefOf('/soulmate')} />
      {rooms}
      <div className={styles.grid}>
        <CoverCard title={t`Video rooms`} isStrip={self !== null} ink="persimmon" pattern="2D497A3C61F5">
          <ButtonLink href={hrefOf('/join')} variant="ink" endIcon={<ChevronRightIcon />}>
            {t`Join Tunemate Video Room`}
          </ButtonLink>
          <ButtonLink href={hrefOf('/create')} variant="inkLine" endIcon={<PlusIcon />}>
            {homeWords.createVideo}
          </ButtonLink>
        </CoverCard>
        <CoverCard title={t`Audio rooms`} isStrip={self !== null} ink="marigold" pattern="C680B5E2D90A">
          <ButtonLink href={hrefOf('/join-audio-room')} variant="ink" endIcon={<ChevronRightIcon />}>
            {t`Join Tunemate Audio Room`}
          </ButtonLink>
          <ButtonLink href={hrefOf('/create-audio-room')} variant="inkLine" endIcon={<PlusIcon />}>
            {homeWords.createAudio}
          </ButtonLink>
        </CoverCard>
        {!isWide && quick}
      </div>
      {played}
    </div>
  );
}

/** `pattern` is twelve tile characters (eight or six show on narrow cards); actions are `ink` and `inkLine` buttons. */
interface CoverCardProps {
  title: string;
  ink: BandInk;
  pattern: string;
  /** The pattern as a strip at the side. */
  isStrip: boolean;
  children: ReactNode;
}

/** A printed cover with a pattern, a title and its actions; for visitors, who see little else, a record shows at its right. */
function CoverCard({ title, ink, pattern, isStrip, children }: CoverCardProps) {
  return (
    <div className={isStrip ? card.strip : card.box} data-band={ink}>
      {!isStrip && <Vinyl pressed className={card.record} />}
      <section className={card.cover} aria-label={title}>
        <TileGrid code={pattern} columns={isStrip ? 2 : 6} className={card.pattern} />
        <div className={card.body}>
          <h2 dir="auto">{title}</h2>
          <div className={card.actions}>{children}</div>
        </div>
      </section>
    </div>
  );
}

/** `self` is null for visitors; then the link leads to signing in. */
interface SoulmateCoverProps {
  self: PairedPerson | null;
  soulmate: SoulmateState;
  /** The person asked, and the next action; left out for visitors. */
  way?: { asked: AskedSoulmate | null; key: Elements; nowMs: number } | undefined;
  hears: Hearing | undefined;
  isNew: boolean;
  href: string;
}

/** The soulmate card of the home screen: the soulmate, the person asked, or an empty place, with the next action. */
function SoulmateCover({ self, soulmate, way, hears, isNew, href }: SoulmateCoverProps) {
  const other = soulmate.status === 'bound' ? soulmate.soulmate : null;
  const asked = way?.asked ?? null;
  const plays = hears?.untilMs === null ? hears : undefined;
  const isBeside = useReadable(isBroad);
  const along = plays && other && <ListenAlong other={other} band="blush" variant="ink" />;
  return (
    <section
      className={classNames(cover.cover, isNew && asked === null && cover.outline)}
      aria-label={soulmateWords.label}
      data-band="blush"
    >
      <div className={cover.duo} aria-hidden="true">
        {self === null ? (
          <Ghost />
        ) : (
          plays === undefined && <Vinyl person={{ id: self.uid, name: self.name }} className={cover.record} />
        )}
        {other !== null && plays !== undefined ? (
          <Sleeve
            name={plays.title ?? ''}
            pictureUrl={plays.thumbnail ?? undefined}
            record={<Vinyl person={{ id: other.uid, name: other.name }} spinning />}
            peek={0.58}
          />
        ) : other !== null ? (
          <Vinyl person={{ id: other.uid, name: other.name }} className={cover.record} />
        ) : asked !== null ? (
          <Ghost>
            <Avatar id={asked.uid} name={asked.name} size="lg" />
          </Ghost>
        ) : (
          <Ghost>{self !== null && <PlusIcon size={24} />}</Ghost>
        )}
      </div>
      <div className={cover.words}>
        {other !== null ? (
          <>
            <p className={cover.who}>
              <span>{soulmateWords.label}</span>
              <Presence online={other.presence.state === 'online'} onInk />
            </p>
            <h2 dir="auto">{other.name}</h2>
            {hears && <HearsLine hears={hears} isBold />}
            {isBeside && along}
          </>
        ) : asked !== null ? (
          <>
            <p>{soulmateWords.waitingFor(askedWhen(asked.askedAt, way?.nowMs ?? asked.askedAt))}</p>
            <h2 dir="auto">{asked.name}</h2>
          </>
        ) : (
          <>
            <h2>{self === null ? t`Login to see your Soulmate` : soulmateWords.add}</h2>
            {self !== null && (
              <p>{isNew ? t`One person, once you have met somebody here.` : t`Choose one of your tunemates.`}</p>
            )}
          </>
        )}
      </div>
      <div className={cover.actions}>
        {!isBeside && along}
        {other !== null && (
          <ButtonLink href={`/our-music/${other.uid}`} variant="inkLine" endIcon={<DiscIcon />}>
            {t`Our music`}
          </ButtonLink>
        )}
        {way?.key}
        <ButtonLink
          href={href}
          variant={way === undefined || asked !== null ? 'ink' : 'inkLine'}
          endIcon={<ChevronRightIcon />}
        >
          {t`Join Soulmate Room`}
        </ButtonLink>
      </div>
    </section>
  );
}

function Ghost({ children }: { children?: ReactNode }) {
  return <span className={cover.ghost}>{children}</span>;
}

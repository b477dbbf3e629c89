/** Home for visitors and users: a greeting, the soulmate, both kinds of room, links to chats and notifications. */
import type { ReactNode } from 'react';
import { loginPath } from '../accounts/sign-in/next-path.ts';
import { homeWords } from '../words/home.ts';
import type { PairedPerson } from '../soulmate/AvatarPair.tsx';
import { unreadPlaces } from '../shell/UnreadLink.tsx';
import { SoulmateCover, type SoulmateCoverProps } from '../soulmate/SoulmateCover.tsx';
import type { SoulmateState } from '../soulmate/soulmate-model.ts';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { BellIcon, ChevronRightIcon, MessageIcon } from '../ui/icons/inside-icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import { Badge } from '../ui/buttons/Badge.tsx';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { CoverCard } from '../ui/records/CoverCard.tsx';
import styles from './HomeBody.module.css';
import type { Elements } from '../ui/OwnText.tsx';
import { t } from '../language/t.ts';

interface HomeBodyProps {
  /** Null for visitors: then every link leads to signing in first. */
  self: PairedPerson | null;
  soulmate: SoulmateState;
  way?: SoulmateCoverProps['way'];
  unreadNotifications: number;
  unreadChats: number;
  hello: ReactNode;
  logIn?: Elements;
  /** Between the greeting and the soulmate. On phones the band has the links to chats and notifications of users. */
  rooms?: Elements;
  /** Below all else, where it may come late: nothing moves then. */
  played?: Elements;
}

export function HomeBody({
  self,
  soulmate,
  way,
  unreadNotifications,
  unreadChats,
  hello,
  logIn,
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
    <div className={styles.home}>
      <div className={styles.helloRow}>
        <div className={styles.hello}>{hello}</div>
        {isWide && quick}
        {logIn}
      </div>
      {rooms}
      <div className={styles.grid}>
        <div className={styles.soulmate}>
          <SoulmateCover self={self} soulmate={soulmate} way={way} href={hrefOf('/soulmate')} />
        </div>
        <CoverCard title={homeWords.videoRooms} ink="persimmon" pattern="2D497A3C61F5">
          <ButtonLink href={hrefOf('/join')} variant="ink" endIcon={<ChevronRightIcon />}>
            {homeWords.joinVideo}
          </ButtonLink>
          <ButtonLink href={hrefOf('/create')} variant="inkLine" endIcon={<PlusIcon />}>
            {homeWords.createVideo}
          </ButtonLink>
        </CoverCard>
        <CoverCard title={homeWords.audioRooms} ink="marigold" pattern="C680B5E2D90A">
          <ButtonLink href={hrefOf('/join-audio-room')} variant="ink" endIcon={<ChevronRightIcon />}>
            {homeWords.joinAudio}
          </ButtonLink>
          <ButtonLink href={hrefOf('/create-audio-room')} variant="inkLine" endIcon={<PlusIcon />}>
            {homeWords.createAudio}
          </ButtonLink>
        </CoverCard>
        {!isWide && self === null && quick}
      </div>
      {played}
    </div>
  );
}

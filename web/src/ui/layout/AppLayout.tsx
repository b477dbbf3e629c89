/** The frame of every signed-in page: the band (72 px down the left, or 56 px along the top on phones),
   the place of the room bar, an optional sidebar, and the main column. */
import { createContext, type ReactNode, use } from 'react';
import { Link } from '../Link.tsx';
import { classNames } from '../class-names.ts';
import type { BandInk } from '../inks.ts';
import { Logo } from './Logo.tsx';
import { RoomBarSlot } from './RoomBarSlot.tsx';
import { useBand } from './use-band.ts';
import styles from './AppLayout.module.css';
import type { Elements } from '../OwnText.tsx';
import { t } from '../../language/t.ts';

/** `wide` leaves the main column unpadded for pages that lay themselves out edge to edge. */
interface AppLayoutProps {
  band: BandInk;
  /** Title on the band, e.g. `Home`; the page's heading repeats it, so it is hidden from screen readers. */
  title: string;
  /** Phone-only control before the logo, e.g. the menu button. */
  lead?: ReactNode;
  /** A `Drawer`: a 300 px column on wide screens. */
  sidebar?: Elements;
  wide?: boolean | undefined;
  /** Leaves the band out on phones, for pages whose own head takes its place. */
  bare?: boolean | undefined;
  children: ReactNode;
}

/** What the band of every page leads to: chats and notifications; nothing for visitors. */
export const BandLinks = createContext<ReactNode>(null);

export function AppLayout(props: AppLayoutProps) {
  const { band, title, lead, sidebar, wide, bare, children } = props;
  const links = use(BandLinks);
  useBand(band);
  return (
    <div className={classNames(styles.app, Boolean(sidebar) && styles.withSide, bare && styles.bare)}>
      <header className={styles.band}>
        {lead && <div className={styles.lead}>{lead}</div>}
        <Link href="/" className={styles.home} aria-label={t`Tunemate home`}>
          <Logo />
        </Link>
        {links && <div className={styles.links}>{links}</div>}
        <span className={classNames(styles.title, 'name')} aria-hidden="true">
          {title}
        </span>
      </header>
      {!bare && <RoomBarSlot />}
      {sidebar}
      <main className={classNames(styles.main, !wide && styles.padded)}>{children}</main>
    </div>
  );
}

/** A person as a round record label: one initial on an ink picked from the id. */
import { classNames } from '../class-names.ts';
import { CrownIcon } from '../icons/marks.tsx';
import { discInitial, discInk } from '../inks.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Disc.module.css';

/** Diameters: 28, 34, 44, 56 and 88 px. */
export type DiscSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl';

/** What sits at the bottom right of a disc. */
export type DiscBadge = 'online' | 'offline' | 'crown';

const badgeWords = { online: 'Online', offline: 'Offline', crown: 'Host' } as const satisfies Record<DiscBadge, string>;

/** The disc is decorative (the name stands beside it); its badge is read out unless `badgeIsNamed`. */
export interface DiscProps {
  id: string;
  name: string;
  size?: DiscSize | undefined;
  badge?: DiscBadge | undefined;
  /** True when the badge's word is already written nearby. */
  badgeIsNamed?: boolean | undefined;
}

/** A person's disc. */
export function Disc({ id, name, size = 'md', badge, badgeIsNamed }: DiscProps) {
  return (
    <>
      <span
        className={classNames(styles.disc, styles[size])}
        style={{ '--label': `var(--${discInk(id)})` }}
        aria-hidden="true"
      >
        <b>{discInitial(name)}</b>
        {badge === 'crown' && (
          <i className={styles.crown}>
            <CrownIcon size={12} />
          </i>
        )}
        {(badge === 'online' || badge === 'offline') && (
          <i className={classNames(styles.presence, badge === 'offline' && styles.off)} />
        )}
      </span>
      {badge && !badgeIsNamed && <VisuallyHidden>{badgeWords[badge]}</VisuallyHidden>}
    </>
  );
}

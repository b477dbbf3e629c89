/** A person as a round record label: one initial on an ink picked from the id. */
import { classNames } from '../class-names.ts';
import { CrownIcon } from '../icons/marks.tsx';
import { avatarInitial, avatarInk } from '../inks.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Avatar.module.css';

/** Diameters: 28, 34, 44, 56 and 88 px. */
export type AvatarSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl';

/** What sits at the bottom right of a disc. */
export type AvatarBadge = 'online' | 'offline' | 'crown';

const badgeWords = { online: 'Online', offline: 'Offline', crown: 'Host' } as const satisfies Record<
  AvatarBadge,
  string
>;

/** The disc is decorative (the name stands beside it); its badge is read out unless `badgeIsNamed`. */
export interface AvatarProps {
  id: string;
  name: string;
  size?: AvatarSize | undefined;
  badge?: AvatarBadge | undefined;
  /** True when the badge's word is already written nearby. */
  badgeIsNamed?: boolean | undefined;
}

/** A person's disc. */
export function Avatar({ id, name, size = 'md', badge, badgeIsNamed }: AvatarProps) {
  return (
    <>
      <span
        className={classNames(styles.avatar, styles[size])}
        style={{ '--label': `var(--${avatarInk(id)})` }}
        aria-hidden="true"
      >
        <b>{avatarInitial(name)}</b>
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

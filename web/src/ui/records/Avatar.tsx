/** A person as a round record label: one initial on an ink picked from the id. */
import { createContext, use } from 'react';
import { classNames } from '../class-names.ts';
import { CrownIcon } from '../icons/marks.tsx';
import { type AvatarInk, avatarInitial, avatarInk } from '../inks.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Avatar.module.css';
import { t } from '../../language/t.ts';

/** The inks of the people of one room, which differ; other people have the ink of their uid. */
export const InksContext = createContext<ReadonlyMap<string, AvatarInk> | null>(null);

/** Diameters: 28, 34, 44, 56, 88 and 104 px. */
export type AvatarSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl' | 'xxl';

export type AvatarBadge = 'online' | 'offline' | 'crown';

const badgeWords: Record<AvatarBadge, string> = { online: t`Online`, offline: t`Offline`, crown: t`Host` };

/** The avatar is decorative (the name is beside it); its badge is read out unless `badgeIsNamed`. */
interface AvatarProps {
  id: string;
  name: string;
  size?: AvatarSize | undefined;
  badge?: AvatarBadge | undefined;
  /** True when the badge's meaning is already written beside it. */
  badgeIsNamed?: boolean | undefined;
}

export function Avatar({ id, name, size = 'md', badge, badgeIsNamed }: AvatarProps) {
  const ink = use(InksContext)?.get(id) ?? avatarInk(id);
  return (
    <>
      <span
        className={classNames(styles.avatar, styles[size])}
        style={{ '--label': `var(--${ink})` }}
        aria-hidden="true"
      >
        <b>{avatarInitial(name)}</b>
        {badge === 'crown' && (
          <i className={styles.crown}>
            <CrownIcon size={11} />
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

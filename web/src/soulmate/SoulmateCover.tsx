/** The soulmate card of the home screen: two records, a name or an invitation to find one, and the link to the room. */
import type { ReactNode } from 'react';
import { homeCopy } from '../copy/home.ts';
import { soulmateCopy } from './soulmate-words.ts';
import { ChevronRightIcon, PlusIcon } from '../ui/icons/icons.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import type { PairedPerson } from './AvatarPair.tsx';
import type { SoulmateState } from './soulmate-model.ts';
import styles from './SoulmateCover.module.css';

/** `self` is null for visitors; then the link leads to signing in. */
export interface SoulmateCoverProps {
  self: PairedPerson | null;
  soulmate: SoulmateState;
  href: string;
}

export function SoulmateCover({ self, soulmate, href }: SoulmateCoverProps) {
  const other = soulmate.status === 'bound' ? soulmate.soulmate : null;
  return (
    <section className={styles.cover} aria-label={soulmateCopy.label} data-band="blush">
      <div className={styles.duo} aria-hidden="true">
        {self === null ? <Ghost /> : <Vinyl person={{ id: self.uid, name: self.name }} className={styles.record} />}
        {other === null ? (
          <Ghost>{self !== null && <PlusIcon size={24} />}</Ghost>
        ) : (
          <Vinyl person={{ id: other.uid, name: other.name }} className={styles.record} />
        )}
      </div>
      <div className={styles.words}>
        {other === null ? (
          <h2>{self === null ? soulmateCopy.login : soulmateCopy.add}</h2>
        ) : (
          <>
            <p>{soulmateCopy.label}</p>
            <h2>{other.name}</h2>
            <Presence online={other.presence.state === 'online'} onInk />
          </>
        )}
      </div>
      <ButtonLink href={href} variant="ink" className={styles.action} endIcon={<ChevronRightIcon />}>
        {homeCopy.joinSoulmateRoom}
      </ButtonLink>
    </section>
  );
}

function Ghost({ children }: { children?: ReactNode }) {
  return <span className={styles.ghost}>{children}</span>;
}

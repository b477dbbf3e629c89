/** The soulmate card of the home screen: the soulmate, the person asked, or an empty place, with the next action. */
import type { AskedSoulmate } from '@tunemate/protocol';
import type { ReactNode } from 'react';
import { homeWords } from '../words/home.ts';
import { askedWhen, soulmateWords } from './soulmate-words.ts';
import { ChevronRightIcon } from '../ui/icons/inside-icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import type { PairedPerson } from './AvatarPair.tsx';
import type { SoulmateState } from './soulmate-model.ts';
import styles from './SoulmateCover.module.css';
import type { Elements } from '../ui/OwnText.tsx';

/** `self` is null for visitors; then the link leads to signing in. */
export interface SoulmateCoverProps {
  self: PairedPerson | null;
  soulmate: SoulmateState;
  /** The person asked, and the next action; left out for visitors. */
  way?: { asked: AskedSoulmate | null; key: Elements; nowMs: number } | undefined;
  href: string;
}

export function SoulmateCover({ self, soulmate, way, href }: SoulmateCoverProps) {
  const other = soulmate.status === 'bound' ? soulmate.soulmate : null;
  const asked = way?.asked ?? null;
  return (
    <section className={styles.cover} aria-label={soulmateWords.label} data-band="blush">
      <div className={styles.duo} aria-hidden="true">
        {self === null ? <Ghost /> : <Vinyl person={{ id: self.uid, name: self.name }} className={styles.record} />}
        {other !== null ? (
          <Vinyl person={{ id: other.uid, name: other.name }} className={styles.record} />
        ) : asked !== null ? (
          <Ghost>
            <Avatar id={asked.uid} name={asked.name} size="lg" />
          </Ghost>
        ) : (
          <Ghost>{self !== null && <PlusIcon size={24} />}</Ghost>
        )}
      </div>
      <div className={styles.words}>
        {other !== null ? (
          <>
            <p>{soulmateWords.label}</p>
            <h2 dir="auto">{other.name}</h2>
            <Presence online={other.presence.state === 'online'} onInk />
          </>
        ) : asked !== null ? (
          <>
            <p>{soulmateWords.waitingFor(askedWhen(asked.askedAt, way?.nowMs ?? asked.askedAt))}</p>
            <h2 dir="auto">{asked.name}</h2>
          </>
        ) : (
          <>
            <h2>{self === null ? soulmateWords.login : soulmateWords.add}</h2>
            {self !== null && <p>{soulmateWords.chooseHint}</p>}
          </>
        )}
      </div>
      <div className={styles.actions}>
        {way?.key}
        <ButtonLink
          href={href}
          variant={way === undefined || asked !== null ? 'ink' : 'inkLine'}
          endIcon={<ChevronRightIcon />}
        >
          {homeWords.joinSoulmateRoom}
        </ButtonLink>
      </div>
    </section>
  );
}

function Ghost({ children }: { children?: ReactNode }) {
  return <span className={styles.ghost}>{children}</span>;
}

/** The soulmate in the sidebar, with a link to the chat with them. No link while there is none. */
import { Link } from 'wouter';
import { classNames } from '../ui/class-names.ts';
import { soulmateCopy } from './soulmate-words.ts';
import { AvatarPair, type PairedPerson } from './AvatarPair.tsx';
import type { SoulmateState } from './soulmate-model.ts';
import styles from './SoulmateStrip.module.css';

/** `hrefOf` returns the address of the chat with a person. */
export interface SoulmateStripProps {
  self: PairedPerson;
  soulmate: SoulmateState;
  hrefOf: (uid: string) => string;
}

export function SoulmateStrip({ self, soulmate, hrefOf }: SoulmateStripProps) {
  if (soulmate.status !== 'bound') {
    return (
      <div className={styles.strip} data-band="blush">
        <span className={styles.ghost} aria-hidden="true" />
        <strong className={classNames('name', styles.name)}>{soulmateCopy.add}</strong>
      </div>
    );
  }
  const { uid, name } = soulmate.soulmate;
  return (
    <Link href={hrefOf(uid)} className={styles.strip} data-band="blush">
      <AvatarPair one={self} other={soulmate.soulmate} />
      <span className={styles.words}>
        <span className={classNames('meta', styles.label)}>{soulmateCopy.label}</span>
        <strong className={classNames('name', styles.name)}>{name}</strong>
      </span>
    </Link>
  );
}

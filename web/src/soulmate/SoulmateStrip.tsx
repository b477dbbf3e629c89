/** The soulmate in the sidebar, as a link to their chat; the person asked; or a button that opens the choice. */
import { Link } from 'wouter';
import { classNames } from '../ui/class-names.ts';
import { soulmateWords } from './soulmate-words.ts';
import { AvatarPair, type PairedPerson } from './AvatarPair.tsx';
import type { SoulmateState } from './soulmate-model.ts';
import styles from './SoulmateStrip.module.css';

/** `hrefOf` returns the address of the chat with a person. */
interface SoulmateStripProps {
  self: PairedPerson;
  soulmate: SoulmateState;
  hrefOf: (uid: string) => string;
  asked: PairedPerson | null;
  onChoose: () => void;
}

export function SoulmateStrip({ self, soulmate, hrefOf, asked, onChoose }: SoulmateStripProps) {
  if (soulmate.status !== 'bound' && asked !== null) {
    return (
      <div className={styles.strip} data-band="blush">
        <Pair self={self} other={asked} label={soulmateWords.isAsked} />
      </div>
    );
  }
  if (soulmate.status !== 'bound') {
    return (
      <button type="button" className={styles.strip} data-band="blush" aria-haspopup="dialog" onClick={onChoose}>
        <span className={styles.ghost} aria-hidden="true" />
        <strong className={classNames('name', styles.name)}>{soulmateWords.add}</strong>
      </button>
    );
  }
  return (
    <Link href={hrefOf(soulmate.soulmate.uid)} className={styles.strip} data-band="blush">
      <Pair self={self} other={soulmate.soulmate} label={soulmateWords.label} />
    </Link>
  );
}

function Pair({ self, other, label }: { self: PairedPerson; other: PairedPerson; label: string }) {
  return (
    <>
      <AvatarPair one={self} other={other} />
      <span className={styles.words}>
        <span className={classNames('meta', styles.label)}>{label}</span>
        <strong className={classNames('name', styles.name)} dir="auto">
          {other.name}
        </strong>
      </span>
    </>
  );
}

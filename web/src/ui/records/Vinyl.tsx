/** A large record: black with a coloured label for a person, pressed in the ink for a place. Always decorative. */
import { classNames } from '../class-names.ts';
import { avatarInitial, avatarInk, type AvatarInk } from '../inks.ts';
import styles from './Vinyl.module.css';

/** Whose label it is: a person's (ink from the id), or the page's band ink when left out. */
export interface VinylProps {
  person?: { id: string; name: string } | undefined;
  /** Label ink for records that are not people; the band ink when left out. */
  ink?: AvatarInk | undefined;
  /** Pressed in coloured vinyl instead of black. */
  pressed?: boolean | undefined;
  /** Turns at 33 1/3 rpm; set it only while something plays or loads. */
  spinning?: boolean | undefined;
  /** CSS length; fills its container when left out. */
  width?: string | undefined;
  className?: string | undefined;
}

/** A record seen from above. */
export function Vinyl({ person, ink, pressed, spinning, width, className }: VinylProps) {
  const labelInk = person ? avatarInk(person.id) : ink;
  return (
    <span
      className={classNames(styles.vinyl, pressed && styles.pressed, spinning && styles.spinning, className)}
      style={{ '--label': labelInk ? `var(--${labelInk})` : undefined, width }}
      aria-hidden="true"
    >
      {person && <b>{avatarInitial(person.name)}</b>}
    </span>
  );
}

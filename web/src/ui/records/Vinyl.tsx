/** A large record: black with a coloured label for a person, pressed in the ink for a place. Always decorative. */
import { classNames } from '../class-names.ts';
import { avatarInitial, avatarInk } from '../inks.ts';
import styles from './Vinyl.module.css';

/** Whose label it is: a person's (ink from the id), or the page's band ink when left out. */
interface VinylProps {
  person?: { id: string; name: string } | undefined;
  /** Pressed in coloured vinyl instead of black. */
  pressed?: boolean | undefined;
  /** Turns at 33 1/3 rpm; set it only while something plays or loads. */
  spinning?: boolean | undefined;
  /** CSS length; fills its container when left out. */
  width?: string | undefined;
  className?: string | undefined;
}

export function Vinyl({ person, pressed, spinning, width, className }: VinylProps) {
  return (
    <span
      className={classNames(styles.vinyl, pressed && styles.pressed, spinning && styles.spinning, className)}
      style={{ '--label': person && `var(--${avatarInk(person.id)})`, width }}
      aria-hidden="true"
    >
      {person && <b>{avatarInitial(person.name)}</b>}
    </span>
  );
}

/** One line of a list: something round or square at the left, two lines of words, extras at the right.
   A link, a button or plain, depending on what it is given. Names are cut with an ellipsis, in compact rows on their second line. */
import type { HTMLAttributes, ReactNode } from 'react';
import { Link } from '../Link.tsx';
import { classNames } from '../class-names.ts';
import styles from './Row.module.css';

/** `href` makes it a link, `onPress` a button; with neither it is plain and may hold buttons in `trail`. */
interface RowProps {
  lead?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  /** Small text at the top right: a time or date. */
  when?: ReactNode;
  /** Icons or buttons at the right end. */
  trail?: ReactNode;
  href?: string | undefined;
  onPress?: (() => void) | undefined;
  /** What is open beside the list. */
  isCurrent?: boolean | undefined;
  /** Handlers of the link beside its press. */
  gestures?: HTMLAttributes<HTMLElement> | undefined;
  /** 76 px instead of 56. */
  roomy?: boolean | undefined;
  /** 48 px, for dense grids of people. */
  compact?: boolean | undefined;
}

export function Row(props: RowProps) {
  const { lead, title, detail, when, trail, href, isCurrent, onPress, gestures, roomy, compact } = props;
  const className = classNames(
    styles.row,
    roomy && styles.roomy,
    compact && styles.compact,
    Boolean(trail) && compact !== true && styles.wraps,
    (href !== undefined || onPress !== undefined) && styles.pressable,
  );
  const content = (
    <>
      {lead && <span className={styles.lead}>{lead}</span>}
      <span className={styles.words}>
        <strong dir="auto">{title}</strong>
        {detail && (
          <span className={styles.detail} dir="auto">
            {detail}
          </span>
        )}
      </span>
      {when && <span className={classNames('meta', styles.when)}>{when}</span>}
      {trail && <span className={styles.trail}>{trail}</span>}
    </>
  );
  if (href !== undefined) {
    return (
      <Link href={href} className={className} aria-current={isCurrent === true ? 'page' : undefined} {...gestures}>
        {content}
      </Link>
    );
  }
  if (onPress !== undefined) {
    return (
      <button type="button" className={className} onClick={onPress}>
        {content}
      </button>
    );
  }
  return <div className={className}>{content}</div>;
}

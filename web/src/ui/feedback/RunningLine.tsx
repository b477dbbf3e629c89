/** The line at the foot of a notice that runs out with the time the notice has left. */
import styles from './RunningLine.module.css';

interface RunningLineProps {
  /** How long the notice is shown, in milliseconds. */
  lastsMs: number;
  /** Stands still, as while the pointer or the focus is in the notice. */
  isHeld: boolean;
  atTop?: boolean;
}

/** Of a notice that is positioned. A new notice needs a new `key`, to begin anew. */
export function RunningLine({ lastsMs, isHeld, atTop = false }: RunningLineProps) {
  return (
    <span
      className={styles.line}
      style={{ animationDuration: `${String(lastsMs)}ms` }}
      data-at-top={atTop || undefined}
      data-held={isHeld || undefined}
      aria-hidden="true"
    />
  );
}

/** Forty moving bars while music plays, a row of dots while it does not. Decorative: it does not measure the sound. */
import { classNames } from '../class-names.ts';
import styles from './LevelBar.module.css';

/** One bar: height in percent, period and head start in milliseconds. Fixed, so every render looks alike. */
const bars = Array.from({ length: 40 }, (_, index) => {
  const wave = Math.abs(Math.sin(index * 1.7) * 0.6 + Math.sin(index * 0.61 + 1) * 0.4);
  return {
    key: `bar ${index}`,
    height: `${Math.round(18 + wave * 78)}%`,
    period: `${720 + ((index * 277) % 680)}ms`,
    start: `${-((index * 419) % 1400)}ms`,
  };
});

/** Hidden from screen readers; the status line beside it says whether music plays. */
export function LevelBar({ playing }: { playing: boolean }) {
  return (
    <div className={classNames(styles.level, !playing && styles.paused)} aria-hidden="true">
      {bars.map(({ key, height, period, start }) => (
        <i key={key} style={{ '--height': height, '--period': period, '--start': start }} />
      ))}
    </div>
  );
}

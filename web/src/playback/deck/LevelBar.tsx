/**
 * Forty moving bars while music plays, a row of dots while it does not. They are as high as the track is loud around the
 * place that sounds, where its peaks are known. The status line says whether music plays.
 *
 * The bars are in five groups that swing as one each, so that the compositor moves five layers. The animations are no
 * style sheet's: React listens for the rounds of those, and each round would wake the main thread of the page.
 */
import { useEffect, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './LevelBar.module.css';
import { levelsAt } from './peaks.ts';

const count = 40;
const groups = 5;

/** Heights in percent. Fixed, so every render looks alike. */
const plain = Array.from({ length: count }, (_, index) => {
  const wave = Math.abs(Math.sin(index * 1.7) * 0.6 + Math.sin(index * 0.61 + 1) * 0.4);
  return Math.round(18 + wave * 78);
});

interface LevelBarProps {
  playing: boolean;
  peaks: string | null;
  /** Of the track, from 0 to 1. */
  share: number;
}

export function LevelBar({ playing, peaks, share }: LevelBarProps) {
  const heights = peaks === null ? plain : levelsAt(peaks, share, count);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!playing || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const swings = Array.from(box.current?.children ?? [], (group, at) =>
      group.animate(
        { transform: [1, 0.4, 0.9, 0.34, 1, 0.6].map((share) => `scaleY(${share})`) },
        {
          duration: 2600 + ((at * 1109) % 900),
          delay: -1000 * at,
          iterations: Infinity,
          direction: 'alternate',
          easing: 'ease-in-out',
        },
      ),
    );
    return () => swings.forEach((swing) => swing.cancel());
  }, [playing]);
  return (
    <div ref={box} className={classNames(styles.level, !playing && styles.paused)} aria-hidden="true">
      {Array.from({ length: groups }, (_, group) => (
        <div key={group}>
          {heights.map((height, index) =>
            index % groups === group ? (
              <i key={index} style={{ '--height': `${height}%`, gridColumn: index + 1 }} />
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

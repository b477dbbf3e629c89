/**
 * Forty moving bars while music plays, a row of dots while it does not. They are as high as the track is loud around the
 * place that sounds, where its peaks are known. The status line says whether music plays.
 *
 * The bars of the whole track are one strip, which moves behind a window of forty: a second of music changes one transform.
 * They are in five groups that swing as one each, so that the compositor moves five layers. The animations are no style
 * sheet's: React listens for the rounds of those, and each round would wake the main thread of the page.
 */
import { useEffect, useMemo, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './LevelBar.module.css';
import { levelsOf } from './peaks.ts';

/** As the style sheet has it, like the gap of 3 px. */
const shown = 40;
const groups = 5;

/** Heights in percent. Fixed, so every render looks alike. */
const plain = Array.from({ length: shown }, (_, index) => {
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
  const heights = useMemo(() => (peaks === null ? plain : levelsOf(peaks, shown / 2)), [peaks]);
  const count = heights.length;
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!playing || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const swings = Array.from(strip.current?.children ?? [], (group, at) =>
      group.animate(
        { transform: [1, 0.4, 0.9, 0.34, 1, 0.6].map((height) => `scaleY(${height})`) },
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
  const bars = useMemo(
    () =>
      Array.from({ length: groups }, (_, group) => (
        <div key={group} style={{ gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` }}>
          {heights.map((height, index) =>
            index % groups === group ? <i key={index} style={{ height: `${height}%`, gridColumn: index + 1 }} /> : null,
          )}
        </div>
      )),
    [heights, count],
  );
  const before = Math.floor(share * (count - shown));
  return (
    <div className={classNames(styles.level, !playing && styles.paused)} aria-hidden="true">
      <div
        ref={strip}
        style={{
          width: `calc((100% + 3px) * ${count / shown} - 3px)`,
          // No variable: each bar would inherit it.
          transform: `translateX(calc((100% + 3px) * ${-before / count}))`,
        }}
      >
        {bars}
      </div>
    </div>
  );
}

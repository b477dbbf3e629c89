/** A field of touching tiles: a sleeve's print, a cover's pattern. Prints new characters one after another. */
import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { Tile } from './Tile.tsx';
import tileStyles from './Tile.module.css';
import styles from './TileGrid.module.css';

/** `code` fills `count` squares; those beyond it stay blank. */
interface TileGridProps {
  code: string;
  /** Number of squares; as many as the code has when left out. */
  count?: number | undefined;
  columns?: number | undefined;
  className?: string | undefined;
}

function sharedStart(before: string, now: string): number {
  let index = 0;
  while (index < before.length && before[index] === now[index]) index += 1;
  return index;
}

/** Decorative; the code must also stand in words. */
export function TileGrid({ code, count = code.length, columns = 3, className }: TileGridProps) {
  const [printed, setPrinted] = useState({ code, from: 0 });
  if (printed.code !== code) setPrinted({ code, from: sharedStart(printed.code, code) });
  return (
    <span
      className={classNames(styles.grid, tileStyles.palette, className)}
      style={{ '--columns': columns }}
      dir="ltr"
      aria-hidden="true"
    >
      {Array.from({ length: count }, (_, index) => (
        <Tile
          key={`${index}${code[index] ?? ''}`}
          character={code[index]}
          className={styles.cell}
          style={{ '--wait': `${Math.max(0, index - printed.from) * 60}ms` }}
        />
      ))}
    </span>
  );
}

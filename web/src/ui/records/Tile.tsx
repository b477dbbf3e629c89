/** One square of a printed code. Colours come from its place in the row, set by the parent's rules. */
import type { CSSProperties } from 'react';
import { tileShapes } from '@tunemate/domain/tile-shapes';
import { classNames } from '../class-names.ts';
import styles from './Tile.module.css';

/** A character without a shape, or none at all, leaves the square unprinted. */
interface TileProps {
  character?: string | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

export function Tile({ character = '', className, style }: TileProps) {
  const shape = tileShapes[character.toUpperCase()];
  return (
    <span className={classNames(styles.tile, !shape && styles.blank, className)} style={style} aria-hidden="true">
      {shape && (
        <svg viewBox="0 0 24 24" fill="currentColor">
          <path fillRule="evenodd" d={shape} />
        </svg>
      )}
    </span>
  );
}

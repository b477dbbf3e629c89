/** A row with a picture: a queue entry (numbered) or a search result. */
import type { ReactNode, SyntheticEvent } from 'react';
import { classNames } from '../class-names.ts';
import { TileGrid } from '../records/TileGrid.tsx';
import { tileCode } from '../records/tile-code.ts';
import { titleLines } from '../title-lines.ts';
import { usePicture } from '../use-picture.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './MediaRow.module.css';

/** With `onPress` it is a button, else plain. `number` shows a place; `current` marks the playing one. */
interface MediaRowProps {
  title: string;
  /** Two-line titles for results; one line, ellipsized, otherwise. */
  tall?: boolean | undefined;
  /** Of what the picture shows; its tiles stand in for a picture that is not there. */
  id: string;
  pictureUrl?: string | undefined;
  number?: number | undefined;
  current?: boolean | undefined;
  /** Read before the title of the current row, e.g. `Now playing`. */
  currentLabel?: string | undefined;
  /** At the right of a wide row, else in the line below the title. */
  length?: string | undefined;
  detail?: ReactNode;
  trail?: ReactNode;
  onPress?: (() => void) | undefined;
}

export function MediaRow(props: MediaRowProps) {
  const { title, tall, id, pictureUrl, number, current, currentLabel, length, detail, trail, onPress } = props;
  const { name, artist } = titleLines(id, title);
  const className = classNames(styles.row, tall && styles.tall, current && styles.current, onPress && styles.pressable);
  const content = (
    <>
      {number !== undefined && <span className={styles.number}>{current ? <i /> : number}</span>}
      <Thumb id={id} url={pictureUrl} />
      <span className={styles.words}>
        {current && currentLabel && <VisuallyHidden>{`${currentLabel}: `}</VisuallyHidden>}
        <strong dir="auto">{name}</strong>
        {(artist !== null || length || detail) && (
          <span className={styles.line}>
            {artist !== null && <span dir="auto">{artist}</span>}
            {length && <span className={styles.within}>{[artist && ' · ', length, !artist && detail && ' · ']}</span>}
            {artist !== null && detail && <span>{` · `}</span>}
            {detail && <span dir="auto">{detail}</span>}
          </span>
        )}
      </span>
      {length && <span className={classNames('meta', styles.length)}>{length}</span>}
      {trail && <span className={styles.trail}>{trail}</span>}
    </>
  );
  const currency = current ? { 'aria-current': 'true' as const } : {};
  return onPress ? (
    <button type="button" className={className} onClick={onPress} {...currency}>
      {content}
    </button>
  ) : (
    <div className={className} {...currency}>
      {content}
    </div>
  );
}

interface ThumbProps {
  id: string;
  url?: string | undefined;
  className?: string | undefined;
}

/** Of a picture that is about square: a cover is never cropped. */
function showWhole({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>): void {
  if (picture.naturalWidth < picture.naturalHeight * 1.2) picture.style.objectFit = 'contain';
}

/** A 16:9 picture, and a square one in audio rooms; tiles when there is none or it fails to load. Decorative. */
export function Thumb({ id, url, className }: ThumbProps) {
  const picture = usePicture(url);
  return (
    <span className={classNames(styles.thumb, className)} aria-hidden="true">
      {picture.url ? (
        <img src={picture.url} alt="" loading="lazy" decoding="async" onLoad={showWhole} onError={picture.onError} />
      ) : (
        <TileGrid code={tileCode(id)} className={styles.tiles} />
      )}
    </span>
  );
}

/** A square printed cover with a record behind it: name on top and tiles below, or a cropped picture. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { usePicture } from '../use-picture.ts';
import { TileGrid } from './TileGrid.tsx';
import styles from './Sleeve.module.css';

const sleeveTiles = 6;

/** Size comes from `size`, or from `--sleeve` set by a surrounding layout (260 px when neither is set). */
interface SleeveProps {
  name?: string | undefined;
  /** Characters printed so far; missing ones stay blank squares. Leave out for no tiles at all. */
  code?: string | undefined;
  /** Covers the print, cropped square. */
  pictureUrl?: string | undefined;
  /** A `Vinyl`, half out on the right. */
  record?: ReactNode;
  /** Share of the sleeve's width by which the record is out: 0.32 to 0.58. */
  peek?: number | undefined;
  /** Slides the record all the way in (520 ms); false slides it back out. */
  recordInside?: boolean | undefined;
  /** Nudges the record 10 px towards the sleeve and back while a user waits. */
  waiting?: boolean | undefined;
  /** CSS length of one edge. */
  size?: string | undefined;
}

/** A room's cover. Decorative: what it shows also stands in words on the page. */
export function Sleeve(props: SleeveProps) {
  const { name, code, record, peek = 0.34, recordInside, waiting, size } = props;
  const picture = usePicture(props.pictureUrl);
  return (
    <span
      className={classNames(styles.sleeve, recordInside && styles.inside, waiting && styles.waiting)}
      style={{ '--sleeve': size, '--out': record ? peek : 0 }}
      aria-hidden="true"
    >
      {record && <span className={styles.record}>{record}</span>}
      <span className={classNames(styles.jacket, picture.url && styles.photo)}>
        {picture.url ? (
          <img src={picture.url} alt="" onError={picture.onError} />
        ) : (
          <>
            <span className={styles.name} dir="auto">
              {name}
            </span>
            {code !== undefined && <TileGrid code={code.slice(0, sleeveTiles)} count={sleeveTiles} />}
          </>
        )}
      </span>
    </span>
  );
}

/** A code as six named tiles, big on a page (row) or down the band (column). Read out letter by letter. */
import { classNames } from '../../ui/class-names.ts';
import { Tile } from '../../ui/records/Tile.tsx';
import tileStyles from '../../ui/records/Tile.module.css';
import styles from './CodeTiles.module.css';

/** `label` says what the code is for, e.g. `Room code`; the characters are appended to it, spelled. */
export interface CodeTilesProps {
  code: string;
  label: string;
  layout?: 'row' | 'column' | undefined;
}

/** The code display. */
export function CodeTiles({ code, label, layout = 'row' }: CodeTilesProps) {
  const characters = code.split('');
  // An image made of several drawings; no tag of its own exists for that.
  const picture = { role: 'img', 'aria-label': `${label} ${characters.join(' ')}` } as const;
  return (
    <span className={classNames(styles[layout], layout === 'column' && tileStyles.palette)} {...picture}>
      {characters.map((character, index) => (
        <span key={`${index}${character}`} className={styles.pair}>
          <Tile character={character} className={styles.tile} />
          <b>{character}</b>
        </span>
      ))}
    </span>
  );
}

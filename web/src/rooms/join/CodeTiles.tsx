/** A room code as tiles: large on a page (row) or down the band (column). Screen readers spell it. */
import { classNames } from '../../ui/class-names.ts';
import { Tile } from '../../ui/records/Tile.tsx';
import tileStyles from '../../ui/records/Tile.module.css';
import styles from './CodeTiles.module.css';
import { t } from '../../language/t.ts';

interface CodeTilesProps {
  code: string;
  layout?: 'row' | 'column' | undefined;
}

export function CodeTiles({ code, layout = 'row' }: CodeTilesProps) {
  const characters = code.split('');
  // An image made of several elements: HTML has no tag for that.
  const picture = { role: 'img', dir: 'ltr', 'aria-label': `${t`Room code`} ${characters.join(' ')}` } as const;
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

/** The loading state of a page or a block: a spinning record and a text. Without a connection it says that nothing comes. */
import { classNames } from '../class-names.ts';
import { Vinyl } from '../records/Vinyl.tsx';
import { useCutOff } from './cut-off.ts';
import styles from './State.module.css';
import { t } from '../../language/t.ts';

interface LoadingScreenProps {
  label?: string | undefined;
  /** Takes the window's height; the default. */
  fill?: boolean | undefined;
}

export function LoadingScreen({ label = t`Loading...`, fill = true }: LoadingScreenProps) {
  const cutOff = useCutOff();
  return (
    <output className={classNames(styles.state, fill && styles.fill)}>
      <Vinyl pressed spinning={cutOff === null} width="96px" />
      <strong className="name">{cutOff ?? label}</strong>
    </output>
  );
}

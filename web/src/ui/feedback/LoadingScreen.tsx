/** The loading state of a page or a block: a spinning record and a text. It says so for a while only. */
import type { ReactElement } from 'react';
import { classNames } from '../class-names.ts';
import { Vinyl } from '../records/Vinyl.tsx';
import styles from './State.module.css';
import { useWhyNot } from './Waiting.tsx';
import { t } from '../../language/t.ts';

interface LoadingScreenProps {
  label?: string | undefined;
  /** Takes the window's height; the default. */
  fill?: boolean | undefined;
}

export function LoadingScreen({ label = t`Loading...`, fill = true }: LoadingScreenProps) {
  const whyNot: ReactElement | null = useWhyNot();
  return (
    <output className={classNames(styles.state, fill && styles.fill)}>
      <Vinyl pressed spinning={whyNot === null} width="96px" />
      {whyNot}
      {whyNot === null && <strong className="name">{label}</strong>}
    </output>
  );
}

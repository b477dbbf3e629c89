/** Success of a link in an e-mail, with the links to go on. */
import type { ReactNode } from 'react';
import { CheckIcon } from '../ui/icons/icons.tsx';
import { ButtonGroup } from '../ui/buttons/ButtonGroup.tsx';
import styles from './AuthAction.module.css';

export function ActionDone({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <>
      <span className={styles.good}>
        <CheckIcon size={40} />
      </span>
      <h1>{title}</h1>
      <output className="lead">{lead}</output>
      <ButtonGroup>{children}</ButtonGroup>
    </>
  );
}

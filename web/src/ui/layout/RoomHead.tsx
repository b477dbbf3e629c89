/** The head of a room: its name, its host, and the leave button. On phones it is the band itself. */
import type { ReactNode } from 'react';
import { CrownIcon } from '../icons/marks.tsx';
import { LeaveIcon, LockIcon } from '../icons/icons.tsx';
import { Button } from '../buttons/Button.tsx';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './RoomHead.module.css';

/** `code` stands beside the label on phones, where the band has no room for tiles. */
export interface RoomHeadProps {
  title: string;
  /** The host's name, beside the crown. */
  label: string;
  /** Words after the label, when nobody can come in. */
  locked?: string | undefined;
  code: string;
  codeLabel: string;
  /** Buttons before Leave. */
  more?: ReactNode;
  action: string;
  onAction: () => void;
}

/** Heading, label and buttons. */
export function RoomHead({ title, label, locked, code, codeLabel, more, action, onAction }: RoomHeadProps) {
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1>{title}</h1>
        <p className={styles.label}>
          <CrownIcon />
          <span className={styles.leader}>{label}</span>
          {locked !== undefined && (
            <span className={styles.locked}>
              <LockIcon size={14} />
              {locked}
            </span>
          )}
          <span className={styles.code}>
            <VisuallyHidden>{codeLabel} </VisuallyHidden>
            {code}
          </span>
        </p>
      </div>
      {more && <div className={styles.more}>{more}</div>}
      <Button variant="danger" small className={styles.action} icon={<LeaveIcon size={18} />} onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}

/** The placeholder of the soulmate room, which does not exist yet. */
import { shellCopy } from '../copy/shell.ts';
import { soulmateCopy } from './soulmate-words.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { MeetingRecords } from '../ui/layout/MeetingRecords.tsx';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import styles from './SoulmateScreen.module.css';

export function SoulmateScreen() {
  return (
    <AppLayout band="blush" title={soulmateCopy.band} wide>
      <div className={styles.page}>
        <MeetingRecords className={styles.records} />
        <div className={styles.words}>
          <h1 className="poster">{soulmateCopy.roomTitle}</h1>
          <p>{soulmateCopy.roomSoon}</p>
          <ButtonLink href="/" variant="ink">
            {shellCopy.backToHome}
          </ButtonLink>
        </div>
      </div>
    </AppLayout>
  );
}

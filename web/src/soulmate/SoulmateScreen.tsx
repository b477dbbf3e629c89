/** The placeholder of the soulmate room, which does not exist yet. */
import { shellWords } from '../words/shell.ts';
import { soulmateWords } from './soulmate-words.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { MeetingRecords } from '../ui/layout/MeetingRecords.tsx';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import styles from './SoulmateScreen.module.css';

export function SoulmateScreen() {
  return (
    <AppLayout band="blush" title={soulmateWords.band} wide>
      <div className={styles.page}>
        <MeetingRecords className={styles.records} />
        <div className={styles.words}>
          <h1 className="poster">{soulmateWords.roomTitle}</h1>
          <p>{soulmateWords.roomSoon}</p>
          <ButtonLink href="/" variant="ink">
            {shellWords.backToHome}
          </ButtonLink>
        </div>
      </div>
    </AppLayout>
  );
}

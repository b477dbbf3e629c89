/** The soulmate room, which does not exist yet and says so. */
import { homeWords } from '../copy/home.ts';
import { soulmateWords } from './soulmate-words.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { MeetingRecords } from '../ui/frame/MeetingRecords.tsx';
import { ButtonLink } from '../ui/keys/ButtonLink.tsx';
import styles from './SoulmateScreen.module.css';

export function SoulmateScreen() {
  return (
    <AppFrame band="blush" title={soulmateWords.band} wide>
      <div className={styles.page}>
        <MeetingRecords className={styles.records} />
        <div className={styles.words}>
          <h1 className="poster">{soulmateWords.roomTitle}</h1>
          <p>{soulmateWords.roomSoon}</p>
          <ButtonLink href="/" variant="ink">
            {homeWords.backToHome}
          </ButtonLink>
        </div>
      </div>
    </AppFrame>
  );
}

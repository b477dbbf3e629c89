/** The placeholder of the soulmate room, which does not exist yet, and what there is already: a room for two. */
import { shellWords } from '../words/shell.ts';
import { useUser } from '../app-context.ts';
import { soulmateWords } from '../soulmate/soulmate-words.ts';
import { OwnText } from '../ui/OwnText.tsx';
import { useSoulmateWay } from './soulmate-way.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { MeetingRecords } from '../ui/layout/MeetingRecords.tsx';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import styles from './SoulmateScreen.module.css';
import { t } from '../language/t.ts';

export function SoulmateScreen() {
  const way = useSoulmateWay(useUser(), soulmateWords.add);
  return (
    <AppLayout band="blush" title={t`Soulmate`} wide>
      <div className={styles.page}>
        <MeetingRecords className={styles.records} />
        <div className={styles.words}>
          <h1 className="poster">{t`Soulmate Streaming Room`}</h1>
          <p>{t`Coming soon: a room that only ever holds two.`}</p>
          <div className={styles.keys}>
            <ButtonLink href="/" variant="inkLine">
              {shellWords.backToHome}
            </ButtonLink>
            <OwnText>{way.key}</OwnText>
          </div>
          <OwnText>{way.dialog}</OwnText>
        </div>
      </div>
    </AppLayout>
  );
}

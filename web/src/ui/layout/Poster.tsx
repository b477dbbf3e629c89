/** The two-half frame of signing in: a poster on the left (on top on phones) and a form on the right. */
import { Link } from '../Link.tsx';
import { lazyPart } from '../../store/lazy-part.ts';
import { classNames } from '../class-names.ts';
import type { Elements } from '../OwnText.tsx';
import { Logo } from './Logo.tsx';
import { MeetingRecords } from './MeetingRecords.tsx';
import { useBand } from './use-band.ts';
import styles from './Poster.module.css';

const LanguageMenu = lazyPart(async () => (await import('../../language/LanguageChoice.tsx')).LanguageMenu);

/** `line` is printed large, one array entry per line; `children` is the form side, the page's main landmark. */
interface PosterProps {
  line: readonly string[];
  children: Elements;
}

export function Poster({ line, children }: PosterProps) {
  useBand('persimmon');
  return (
    <div className={styles.page}>
      <header className={styles.art}>
        <Link href="/" className={styles.brand}>
          <Logo />
          <span className={classNames('name', styles.wordmark)}>Tunemate</span>
        </Link>
        <MeetingRecords className={styles.records} />
        <p className={classNames('poster', styles.line)}>
          {line.map((words) => (
            <span key={words}>{`${words} `}</span>
          ))}
        </p>
      </header>
      <main className={styles.form}>
        {/* Holds the menu's place, so that its arrival moves nothing under a finger. */}
        <div className={styles.language}>
          <LanguageMenu />
        </div>
        {children}
      </main>
    </div>
  );
}

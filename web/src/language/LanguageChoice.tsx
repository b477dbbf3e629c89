/** The language of this browser's pages. Choosing another loads the page again in it, with what was typed. */
import { languageCookie, languages } from '@tunemate/protocol';
import { keepTypedText } from '../shell/page-life.ts';
import { tabStorage } from '../store/lenient-storage.ts';
import { RadioRows } from '../ui/fields/RadioRows.tsx';
import { language, t } from './t.ts';
import styles from './LanguageChoice.module.css';

const rows = Object.entries(languages).map(([value, label]) => ({ value, label, language: value }));

/** As a menu, above a form. */
export function LanguageMenu() {
  return (
    <label className={styles.menu}>
      <svg
        width="20"
        height="20"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden="true"
      >
        <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM2 12h20M12 2c5 5.500 5 14.500 0 20M12 2c-5 5.500-5 14.500 0 20" />
      </svg>
      <select aria-label={t`Language`} value={language} onChange={({ target }) => choose(target.value)}>
        {rows.map(({ value, label }) => (
          <option key={value} value={value} lang={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** As rows, among other settings. */
export function LanguageRows() {
  return <RadioRows title={t`Language`} rows={rows} value={language} onChange={choose} />;
}

function choose(code: string): void {
  const yearSeconds = 365 * 24 * 60 * 60;
  document.cookie = `${languageCookie}=${code}; Path=/; Max-Age=${String(yearSeconds)}; SameSite=Lax`;
  keepTypedText(tabStorage);
  location.reload();
}

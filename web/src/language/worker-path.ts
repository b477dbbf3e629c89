/** The worker of this page's language: its push messages and the page that it stores are in it. */
import { language } from './t.ts';

export const workerPath = language === 'en' ? '/worker.js' : `/worker.${language}.js`;

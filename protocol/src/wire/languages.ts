/** The languages of the pages and of the mails, each by its own name. English is the language of the sources. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', hi: 'हिन्दी', ar: 'العربية' } as const;
export type Language = keyof typeof languages;

/** The cookie that holds the language a person chose in this browser; without it the browser's languages count. */
export const languageCookie = 'language';

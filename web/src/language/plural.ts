/** The forms of a sentence that depend on a number. The build calls this where a translation has several. */
import { language } from './t.ts';

const rules = new Intl.PluralRules(language);

/** `count` may be written with separators, as '48,310' is. */
export function plural(
  count: string | number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string },
): string {
  return forms[rules.select(Number(String(count).replaceAll(/\D/g, '')))] ?? forms.other;
}

/** The forms of a sentence that depend on a number. The build calls this where a translation has several. */
import { plainDigits } from '@tunemate/protocol';
import { language } from './t.ts';

const rules = new Intl.PluralRules(language);

/** `count` may be written as readers write it: '48,310' or '٤٨٬٣١٠'. */
export function plural(
  count: string | number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string },
): string {
  return forms[rules.select(Number(plainDigits(String(count)).replaceAll(/\D/g, '')))] ?? forms.other;
}

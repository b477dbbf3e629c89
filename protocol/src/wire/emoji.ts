/** What counts as one emoji. */

/** One of those that Unicode recommends for interchange, with its skin tone and joined parts, and nothing else. */
export const isEmoji = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text);

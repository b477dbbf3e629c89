/** The tiles in place of a missing cover, derived from the id. */

/** The last six characters of `id`, each as a hexadecimal digit, which has a shape. */
export const tileCode = (id: string): string =>
  id
    .slice(-6)
    .toUpperCase()
    .replaceAll(/[^\dA-F]/g, digitOf);

/** Ids of the library end in hexadecimal digits, those of other services in any characters. */
const digitOf = (character: string): string => (character.charCodeAt(0) % 16).toString(16).toUpperCase();

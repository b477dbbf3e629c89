/** The state of the address of a room that 'Try it now' has just created: its first track plays at once. */
export const triedState = 'tried';

/** The stamps of room chats. No schema stands here: pages draw them without loading the code that reads schemas. */

/** What a person can press on a message or throw at the picture, in the order in which pages offer them. */
export const stampNames = ['love', 'ha', 'fire', 'tune', 'wow', 'tears'] as const;

/** What is allowed: pure decisions of every word. */
export * from './rooms/membership.ts';
export * from './rooms/room-kinds.ts';

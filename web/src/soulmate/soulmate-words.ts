/** Texts about soulmates. */
export const soulmateCopy = {
  label: 'Soulmate',
  add: 'Add your Soulmate',
  login: 'Login to see your Soulmate',
  roomTitle: 'Soulmate Streaming Room',
  roomSoon: 'Coming soon: a room that only ever holds two.',
  band: 'Soulmate',
} as const;

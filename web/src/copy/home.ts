/**
 * The words of the home screen, the sidebar and the placeholders. Sentences that SPEC.md quotes stand word for word (COPY-1).
 */
export const homeWords = {
  title: 'Home',
  menu: 'Menu',
  logIn: 'Log In',
  logout: 'Logout',
  logoutFailed: 'You are still logged in',
  joinSoulmateRoom: 'Join Soulmate Room',
  joinVideo: 'Join Tunemate Video Room',
  joinAudio: 'Join Tunemate Audio Room',
  createVideo: 'Create Video Room',
  createAudio: 'Create Audio Room',
  videoRooms: 'Video rooms',
  audioRooms: 'Audio rooms',
  chat: 'Chat',
  notifications: 'Notifications',
  chatbot: 'Chatbot',
  chatbotSoon: 'Chatbot coming soon...',
  backToHome: 'Back to Home',
  reconnecting: 'Reconnecting…',
  offline: 'You are offline',
  unreachableTitle: "Can't reach the server",
  unreachableLead: 'Back in step as soon as you reconnect.',
  /** The server answered, but is busy or was asked too often. */
  notOpenedTitle: 'Not opened yet',
  tryAgain: 'Try Again',
  outdated: 'There is a newer Tunemate. Reload this page.',
  reload: 'Reload',
  wrongAddress: 'Nothing can be sent from this address. Open Tunemate at',
  wrongAddressAdvice: 'To use this address, whoever runs it can start it with',
  notFoundTitle: 'Nothing plays here',
  notFoundLead: 'This address leads nowhere.',
  crashedTitle: 'This page broke',
  crashedLead: 'Reload it to go on.',
} as const;

export const soulmateWords = {
  label: 'Soulmate',
  add: 'Add your Soulmate',
  login: 'Login to see your Soulmate',
  roomTitle: 'Soulmate Streaming Room',
  roomSoon: 'Coming soon: a room that only ever holds two.',
  band: 'Soulmate',
} as const;

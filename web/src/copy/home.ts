/**
 * Texts of the home screen, the sidebar and the placeholders. Sentences that SPEC.md quotes are used word for word
 * (COPY-1).
 */
export const homeCopy = {
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
  /** The server answered that it is busy or that a rate limit was reached. */
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

/** Texts of the home screen, the sidebar and the placeholders. */
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
} as const;

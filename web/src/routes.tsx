/**
 * The table of routes: path, who may see it, the ink of its band, the title of its page, and
 * the screen, loaded when first needed. Screens decide on texts, and on rights beyond being signed in.
 */
import type { PagePath, RoomKind, UserDocument } from '@tunemate/protocol';
import { useState, type ComponentType } from 'react';
import { prefetch, useFetched } from './store/use-fetched.ts';
import type { BandInk } from './ui/inks.ts';
import { lazyPart } from './store/lazy-part.ts';
import { MissingScreen } from './shell/ErrorScreens.tsx';

/** The values of a path's placeholders, as typed in the address. */
export interface ScreenProps {
  readonly params: Readonly<Record<string, string | undefined>>;
}

export interface Route {
  readonly path: PagePath;
  /** 'room': as 'signed-in', and signed-out visitors see why they are redirected. */
  readonly access: 'open' | 'signed-in' | 'room';
  readonly band: BandInk;
  /** The title of the page, until the screen sets its own. */
  readonly title: string;
  readonly Screen: ComponentType<ScreenProps>;
}

type RoomPage = ComponentType<ScreenProps & { readonly kind: RoomKind }>;

/** The room's page once its code is here; null before. */
let fetchedRoom: RoomPage | null = null;

async function fetchRoom(): Promise<RoomPage> {
  const { RoomScreen } = await import('./rooms/visit/RoomScreen.tsx');
  const Room: RoomPage = ({ kind, params }) => <RoomScreen kind={kind} code={params['code'] ?? ''} />;
  fetchedRoom ??= Room;
  return fetchedRoom;
}

/** Fetches the room's code while the user waits to be admitted. */
export const expectRoom = () => prefetch(fetchRoom);

const fetchVisit = () => import('./rooms/visit/VisitHost.tsx');

/** The room that this tab visits. */
export function VisitHost({ user }: { user: UserDocument }) {
  const code = useFetched(fetchVisit);
  return code && <code.VisitHost user={user} />;
}

const LaterRoom: RoomPage = lazyPart(fetchRoom, MissingScreen);

/** React delays what had to be fetched, however soon it came, by 300 ms; so code that is here is drawn without `lazy`. */
const roomPage = (kind: RoomKind) =>
  function RoomOf({ params }: ScreenProps) {
    const [Room] = useState<RoomPage>(() => fetchedRoom ?? LaterRoom);
    return <Room kind={kind} params={params} />;
  };

const joinPage = (kind: RoomKind) =>
  lazyPart<ScreenProps>(async () => {
    const { JoinRoomScreen } = await import('./rooms/join/JoinRoomScreen.tsx');
    expectRoom();
    return () => <JoinRoomScreen kind={kind} />;
  }, MissingScreen);

const createPage = (kind: RoomKind) =>
  lazyPart<ScreenProps>(async () => {
    const { CreateRoomScreen } = await import('./rooms/join/CreateRoomScreen.tsx');
    expectRoom();
    return () => <CreateRoomScreen kind={kind} />;
  }, MissingScreen);

const Home = lazyPart<ScreenProps>(async () => (await import('./home/HomeScreen.tsx')).HomeScreen, MissingScreen);
const Login = lazyPart<ScreenProps>(
  async () => (await import('./accounts/sign-in/LoginScreen.tsx')).LoginScreen,
  MissingScreen,
);
const Signup = lazyPart<ScreenProps>(
  async () => (await import('./accounts/sign-up/SignupScreen.tsx')).SignupScreen,
  MissingScreen,
);
const AuthAction = lazyPart<ScreenProps>(
  async () => (await import('./accounts/sign-up/AuthActionScreen.tsx')).AuthActionScreen,
  MissingScreen,
);
const Soulmate = lazyPart<ScreenProps>(
  async () => (await import('./soulmate/SoulmateScreen.tsx')).SoulmateScreen,
  MissingScreen,
);
const Notifications = lazyPart<ScreenProps>(
  async () => (await import('./notifications/NotificationsScreen.tsx')).NotificationsScreen,
  MissingScreen,
);
const Chats = lazyPart<ScreenProps>(async () => (await import('./chats/ChatsScreen.tsx')).ChatsScreen, MissingScreen);
const Chat = lazyPart<ScreenProps>(async () => {
  const { ChatScreen } = await import('./chats/ChatScreen.tsx');
  return ({ params }) => <ChatScreen uid={params['uid'] ?? ''} />;
}, MissingScreen);
const Account = lazyPart<ScreenProps>(
  async () => (await import('./accounts/settings/AccountScreen.tsx')).AccountScreen,
  MissingScreen,
);

export const routes: readonly Route[] = [
  { path: '/', access: 'open', band: 'persimmon', title: 'Home', Screen: Home },
  { path: '/login', access: 'open', band: 'persimmon', title: 'Sign in', Screen: Login },
  { path: '/signup', access: 'open', band: 'persimmon', title: 'Create account', Screen: Signup },
  { path: '/auth/action', access: 'open', band: 'persimmon', title: 'Email link', Screen: AuthAction },
  { path: '/join', access: 'signed-in', band: 'persimmon', title: 'Join a video room', Screen: joinPage('video') },
  {
    path: '/create',
    access: 'signed-in',
    band: 'persimmon',
    title: 'Create a video room',
    Screen: createPage('video'),
  },
  { path: '/tunemate/:code', access: 'room', band: 'persimmon', title: 'Video room', Screen: roomPage('video') },
  {
    path: '/join-audio-room',
    access: 'signed-in',
    band: 'marigold',
    title: 'Join an audio room',
    Screen: joinPage('audio'),
  },
  {
    path: '/create-audio-room',
    access: 'signed-in',
    band: 'marigold',
    title: 'Create an audio room',
    Screen: createPage('audio'),
  },
  { path: '/audio-room/:code', access: 'room', band: 'marigold', title: 'Audio room', Screen: roomPage('audio') },
  { path: '/soulmate', access: 'signed-in', band: 'blush', title: 'Soulmate', Screen: Soulmate },
  { path: '/notifications', access: 'signed-in', band: 'paper', title: 'Notifications', Screen: Notifications },
  { path: '/chats', access: 'signed-in', band: 'celadon', title: 'Chats', Screen: Chats },
  { path: '/chat/:uid', access: 'signed-in', band: 'celadon', title: 'Chat', Screen: Chat },
  { path: '/account', access: 'signed-in', band: 'persimmon', title: 'Account', Screen: Account },
];

/** Whether this address is a room's. */
export function isRoomPath(path: string): boolean {
  return routes.some((route) => route.access === 'room' && path.startsWith(route.path.replace(':code', '')));
}

/** The table of routes. Screens are loaded when first needed, and check access rights beyond being signed in. */
import type { PagePath, RoomKind, UserDocument } from '@tunemate/protocol';
import type { ComponentType } from 'react';
import type { Opening } from './app.ts';
import { matchPath, type ScreenProps } from './store/address.ts';
import { useFetched } from './store/use-fetched.ts';
import type { BandInk } from './ui/inks.ts';
import { type LazyScreen, lazyScreen } from './store/lazy-part.ts';
import { MissingScreen } from './shell/ErrorScreens.tsx';
import { t } from './language/t.ts';

export interface Route {
  readonly path: PagePath;
  /** 'room': as 'signed-in', but signed-out visitors read why they are redirected. */
  readonly access: 'open' | 'signed-in' | 'room';
  readonly band: BandInk;
  /** Until the screen sets its own. */
  readonly title: string;
  readonly Screen: LazyScreen<ScreenProps>;
}

const page = (load: () => Promise<ComponentType<ScreenProps>>) => lazyScreen<ScreenProps>(load, MissingScreen);

const roomPage = (kind: RoomKind) =>
  page(async () => {
    const { RoomScreen } = await import('./rooms/visit/RoomScreen.tsx');
    return ({ params }) => <RoomScreen kind={kind} code={params['code'] ?? ''} />;
  });

const roomPages: Readonly<Record<RoomKind, LazyScreen<ScreenProps>>> = {
  video: roomPage('video'),
  audio: roomPage('audio'),
};

const fetchVisit = () => import('./rooms/visit/VisitHost.tsx');

export function VisitHost({ user }: { user: UserDocument }) {
  const code = useFetched(fetchVisit);
  return code && <code.VisitHost user={user} />;
}

const joinPage = (kind: RoomKind) =>
  page(async () => {
    const { JoinRoomScreen } = await import('./rooms/join/JoinRoomScreen.tsx');
    void roomPages[kind].prefetch();
    return () => <JoinRoomScreen kind={kind} />;
  });

const createPage = (kind: RoomKind) =>
  page(async () => {
    const { CreateRoomScreen } = await import('./rooms/join/CreateRoomScreen.tsx');
    void roomPages[kind].prefetch();
    return () => <CreateRoomScreen kind={kind} />;
  });

const Home = page(async () => (await import('./home/HomeScreen.tsx')).HomeScreen);
const Login = page(async () => (await import('./accounts/sign-in/LoginScreen.tsx')).LoginScreen);
const Signup = page(async () => (await import('./accounts/sign-up/SignupScreen.tsx')).SignupScreen);
const AuthAction = page(async () => (await import('./accounts/sign-up/AuthActionScreen.tsx')).AuthActionScreen);
const Soulmate = page(async () => (await import('./people/SoulmateScreen.tsx')).SoulmateScreen);
const Notifications = page(async () => (await import('./notifications/NotificationsScreen.tsx')).NotificationsScreen);
const Chats = page(async () => (await import('./chats/ChatsScreen.tsx')).ChatsScreen);
const Chat = page(async () => {
  const { ChatScreen } = await import('./chats/ChatScreen.tsx');
  return ({ params }) => <ChatScreen uid={params['uid'] ?? ''} />;
});
const Track = page(async () => (await import('./chats/TrackScreen.tsx')).TrackScreen);
const Share = page(async () => (await import('./home/ShareScreen.tsx')).ShareScreen);
const Beside = page(async () => (await import('./beside/BesideScreen.tsx')).BesideScreen);
const musicPage = (name: keyof typeof import('./our-music/screens.ts')) =>
  page(async () => (await import('./our-music/screens.ts'))[name]);
const Account = page(async () => (await import('./accounts/settings/AccountScreen.tsx')).AccountScreen);

export const routes: readonly Route[] = [
  { path: '/', access: 'open', band: 'persimmon', title: t`Home`, Screen: Home },
  { path: '/login', access: 'open', band: 'persimmon', title: t`Sign in`, Screen: Login },
  { path: '/signup', access: 'open', band: 'persimmon', title: t`Create account`, Screen: Signup },
  { path: '/auth/action', access: 'open', band: 'persimmon', title: t`Email link`, Screen: AuthAction },
  { path: '/join', access: 'signed-in', band: 'persimmon', title: t`Join a video room`, Screen: joinPage('video') },
  {
    path: '/create',
    access: 'signed-in',
    band: 'persimmon',
    title: t`Create a video room`,
    Screen: createPage('video'),
  },
  { path: '/tunemate/:code', access: 'room', band: 'persimmon', title: t`Video room`, Screen: roomPages.video },
  {
    path: '/join-audio-room',
    access: 'signed-in',
    band: 'marigold',
    title: t`Join an audio room`,
    Screen: joinPage('audio'),
  },
  {
    path: '/create-audio-room',
    access: 'signed-in',
    band: 'marigold',
    title: t`Create an audio room`,
    Screen: createPage('audio'),
  },
  { path: '/audio-room/:code', access: 'room', band: 'marigold', title: t`Audio room`, Screen: roomPages.audio },
  { path: '/soulmate', access: 'signed-in', band: 'blush', title: t`Soulmate`, Screen: Soulmate },
  { path: '/notifications', access: 'signed-in', band: 'paper', title: t`Notifications`, Screen: Notifications },
  { path: '/chats', access: 'signed-in', band: 'celadon', title: t`Chats`, Screen: Chats },
  { path: '/chats/search', access: 'signed-in', band: 'celadon', title: t`Chats`, Screen: Chats },
  { path: '/chat/:uid', access: 'signed-in', band: 'celadon', title: t`Chat`, Screen: Chat },
  { path: '/account', access: 'signed-in', band: 'persimmon', title: t`Account`, Screen: Account },
  { path: '/library/:videoId', access: 'signed-in', band: 'celadon', title: t`Library`, Screen: Track },
  { path: '/beside/:key', access: 'open', band: 'marigold', title: t`Hear it here, too`, Screen: Beside },
  {
    path: '/our-music/:uid',
    access: 'signed-in',
    band: 'blush',
    title: t`Our music`,
    Screen: musicPage('OurMusicScreen'),
  },
  {
    path: '/our-music/:uid/blend',
    access: 'signed-in',
    band: 'blush',
    title: t`Our music`,
    Screen: musicPage('BlendScreen'),
  },
  {
    path: '/our-music/:uid/year',
    access: 'signed-in',
    band: 'blush',
    title: t`Our music`,
    Screen: musicPage('YearScreen'),
  },
  { path: '/share', access: 'signed-in', band: 'persimmon', title: t`Home`, Screen: Share },
];

const keptPaths: ReadonlySet<PagePath> = new Set<PagePath>(['/', '/chats', '/chat/:uid']);

/**
 * The connection opens with a page whose visitors are signed in as a rule; home and the chats of an installed app are first
 * drawn as this device stored them.
 */
export const openingAt = (route: Route | undefined): Opening => ({
  connects: route !== undefined && (route.access !== 'open' || route.path === '/'),
  showsKept: route !== undefined && keptPaths.has(route.path),
});

/** The route of a path, with the values of its placeholders. */
export function routeAt(path: string): ({ readonly route: Route } & ScreenProps) | undefined {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params !== null) return { route, params };
  }
  return undefined;
}

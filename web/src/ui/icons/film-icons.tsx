/** Icons of players, queues and full screen. Apart from the others, so that they are loaded when they are needed. */
import {
  DoorOpen,
  LibraryBig,
  ListStart,
  Lock,
  Maximize,
  Minimize,
  PictureInPicture2,
  Settings,
  SlidersHorizontal,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { type IconProps, line } from './icons.tsx';

export const ExitFullScreenIcon = /* @__PURE__ */ line(Minimize);
export const FullScreenIcon = /* @__PURE__ */ line(Maximize);
export const JoinRequestIcon = /* @__PURE__ */ line(DoorOpen);
export const LibraryIcon = /* @__PURE__ */ line(LibraryBig);
export const LockIcon = /* @__PURE__ */ line(Lock);
export const PictureInPictureIcon = /* @__PURE__ */ line(PictureInPicture2);
export const SettingsIcon = /* @__PURE__ */ line(Settings);
export const SoundIcon = /* @__PURE__ */ line(Volume2);
export const SoundOffIcon = /* @__PURE__ */ line(VolumeX);
export const TuneIcon = /* @__PURE__ */ line(SlidersHorizontal);
export const PlayNextIcon = /* @__PURE__ */ line(ListStart);

/** The letters CC in a frame, as players have them. */
export function SubtitlesIcon({ size = 20 }: IconProps) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="currentColor" aria-hidden="true">
      <rect x="2.500" y="5" width="19" height="14" rx="2" strokeWidth="1.800" />
      <path d="M10.900 10.300a2.200 2.200 0 1 0 0 3.400M17.900 10.300a2.200 2.200 0 1 0 0 3.400" strokeWidth="1.900" />
    </svg>
  );
}
